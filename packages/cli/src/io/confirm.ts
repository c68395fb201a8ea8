import { UsageError } from "../output/fail.ts";
import { answerTo } from "./answer.ts";
import type { CliSession } from "./session.ts";

/**
 * Before what cannot be taken back. Where nobody can be asked it is refused, unless `yes` was
 * given.
 */
export async function confirmOrFail(
  { canAsk }: CliSession,
  { question, yes }: { readonly question: string; readonly yes: boolean | undefined },
): Promise<void> {
  if (yes) return;
  if (!canAsk) throw new UsageError(`${question} Nobody can be asked here: say yes with -y`);
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await answerTo(reader, `${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("Nothing was changed");
  } finally {
    reader.close();
  }
}
