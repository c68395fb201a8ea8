import { mkdirSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { readPageBlocks } from "../support/page-blocks.ts";
import type { ServerEnv } from "../support/server-process.ts";
import { GuideShell } from "../support/shell.ts";
import { followGuide, type Guide } from "./guide.ts";

const COMMAND = fileURLToPath(new URL("../../packages/cli/bin/orchestrator.mjs", import.meta.url));

/** A shell in a new folder that finds the command `orchestrator`. */
export function openGuideShell(parent: string, page: string, env: ServerEnv): GuideShell {
  const folder = `${parent}/${page.replaceAll(/\W/g, "-")}`;
  mkdirSync(`${folder}/bin`, { recursive: true });
  symlinkSync(COMMAND, `${folder}/bin/orchestrator`);
  return new GuideShell(folder, {
    PATH: `${folder}/bin:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    ORCHESTRATOR_HOME: `${folder}/home`,
    ...env,
  });
}

/** Follows the page and expects each of its scripts to end with 0, or with a code of `endings`. */
export async function expectGuideToWork(
  page: string,
  guide: Guide,
  endings: readonly (readonly [RegExp, readonly number[]])[] = [],
): Promise<string> {
  const steps = await followGuide(readPageBlocks(page), guide);
  expect(steps, `${page} has no commands`).not.toHaveLength(0);
  for (const { script, output, ...ended } of steps) {
    const codes = endings.find(([pattern]) => pattern.test(script))?.[1] ?? [0];
    expect.soft(ended.code, `${page}\n${script}\n${output}`).toBeOneOf([...codes]);
  }
  return steps.map(({ output }) => output).join("\n");
}
