// Does what a page of the documentation says: writes its files and runs its commands, in their
// order.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PageBlock } from "../support/page-blocks.ts";
import type { GuideShell } from "../support/shell.ts";

/**
 * Finds what a placeholder such as `<run id>` stands for; `printed` is all that the page printed.
 */
export type Lookup = (printed: string) => Promise<string> | string;

export interface Guide {
  readonly shell: GuideShell;
  readonly placeholders: Readonly<Record<string, Lookup>>;
  /** Texts of the page that are others in the test, such as addresses. */
  readonly replaced: Readonly<Record<string, string>>;
}

export interface GuideStep {
  readonly script: string;
  readonly code: number | null;
  readonly output: string;
}

const PLACEHOLDER = /<([a-z]+(?: [a-z]+)*)>/g;

/** Answers with every script of the page and how it ended. */
export async function followGuide(
  blocks: readonly PageBlock[],
  guide: Guide,
): Promise<GuideStep[]> {
  const { shell } = guide;
  const steps: GuideStep[] = [];
  const printed = () => steps.map(({ output }) => output).join("\n");
  for (const { language, name, text } of blocks) {
    if (name !== "") writeFileSync(join(shell.folder, name), await filled(text, guide, printed()));
    if (language !== "sh") continue;
    for (const part of partsOf(text)) {
      const script = await filled(part, guide, printed());
      const typed = await shell.type(script.endsWith("&") ? script : `set -e\n${script}`);
      steps.push({ script, ...typed });
    }
  }
  return steps;
}

async function filled(text: string, guide: Guide, printed: string): Promise<string> {
  let result = Object.entries(guide.replaced).reduce(
    (done, [from, to]) => done.replaceAll(from, to),
    text,
  );
  for (const [placeholder, name = ""] of result.matchAll(PLACEHOLDER)) {
    const lookup = guide.placeholders[name];
    if (lookup === undefined) throw new Error(`Nothing is known to stand for ${placeholder}`);
    result = result.replaceAll(placeholder, await lookup(printed));
  }
  return result;
}

/** A command in the background is a script of its own. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.some((line) => line.trim() !== "")) parts.push(open.join("\n"));
    open = [];
  };
  for (const line of text.split("\n")) {
    if (line.endsWith(" &")) {
      close();
      parts.push(line);
    } else open.push(line);
  }
  close();
  return parts;
}
