// The steps that make a copy of the code ready, such as `npm ci`: once for all runs of a version.

import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import type { JsonObject } from "@orchestrator/contract";

export type NamedStep = readonly [name: string, settings: JsonObject];

const NAME =
  /^(?:(?:prefect|orchestrator)\.deployments\.steps\.(?:core\.|pull\.|utility\.)?)?(\w+)$/;
/** These tell one run from another, and a script that needs them has to run for each. */
const OF_RUNS = /^(?:ORCHESTRATOR|PREFECT)_/;

/** By the last part of the name, after any prefix such as `prefect.deployments.steps.`. */
export const stepWord = (name: string): string => NAME.exec(name)?.[1] ?? "";

export const isScript = ([name]: NamedStep): boolean => stepWord(name) === "run_shell_script";

/** Up to the last script. One with an id has an output, so it runs for each run. */
export function preparationSteps(behind: readonly NamedStep[]): readonly NamedStep[] {
  const end = behind.findIndex((step) => !staysInFolder(step));
  const steps = end === -1 ? behind : behind.slice(0, end);
  return steps.slice(0, steps.findLastIndex(isScript) + 1);
}

function staysInFolder([name, { id = null, directory }]: NamedStep): boolean {
  if (!["run_shell_script", "set_working_directory"].includes(stepWord(name))) return false;
  const path = typeof directory === "string" ? directory : ".";
  return id === null && !isAbsolute(path) && !path.split("/").includes("..");
}

export function preparationKey(
  steps: readonly NamedStep[],
  env: Readonly<Record<string, string>>,
): string {
  if (steps.length === 0) return "";
  const shared = Object.entries(env)
    .filter(([name]) => !OF_RUNS.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([steps, shared]);
  return `-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}
