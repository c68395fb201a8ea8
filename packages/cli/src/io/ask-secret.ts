import { UsageError } from "../output/fail.ts";
import { answerTo } from "./answer.ts";
import type { CliSession } from "./session.ts";

interface SecretQuestion {
  readonly question: string;
  /** What to do where nobody can be asked. */
  readonly instead: string;
}

/** Asks for something that is not shown while it is typed. */
export async function askSecret(
  { canAsk }: CliSession,
  { question, instead }: SecretQuestion,
): Promise<string> {
  if (!canAsk) throw new UsageError(`${question}: nobody can be asked here; ${instead}`);
  const { createInterface } = await import("node:readline/promises");
  const { Writable } = await import("node:stream");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(`${question}: `);
  try {
    return await answerTo(reader, "");
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}
