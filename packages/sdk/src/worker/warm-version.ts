// The key of a runner: jobs with the same code, folder and environment may share one.

import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { builtFile } from "../built-file.ts";
import { RUN_VARIABLES } from "../runner/messages.ts";
import { type FileStamps, packageStamps, stampOf } from "./file-stamps.ts";
import type { WorkerJob } from "./runner.ts";

export interface WarmVersion {
  /** The same for jobs that can share a runner. */
  readonly key: string;
  readonly folder: string;
  readonly program: string;
  /** Of every run. */
  readonly env: Readonly<Record<string, string>>;
}

const OF_RUN: ReadonlySet<string> = new Set(RUN_VARIABLES);

/** Null for jobs that need a process of their own. */
export function warmVersionOf(job: WorkerJob, folder: string): WarmVersion | null {
  const { command, isSelfReporting, configuration, env, claimed } = job;
  const isFlow = command === null && isSelfReporting && claimed !== null;
  if (!isFlow || configuration["isolation"] === "process") return null;
  if (env["ORCHESTRATOR_ENTRYPOINT"] === undefined) return null;
  const program = runnerPath(folder);
  if (program === null) return null;
  // A link to a folder may lead elsewhere after a release.
  const place = realpathSync(folder);
  const shared = Object.entries(env).filter(([name]) => !OF_RUN.has(name));
  return {
    key: JSON.stringify([place, program, stampOf(program), shared.toSorted(byName)]),
    folder: place,
    program,
    env: Object.fromEntries(shared),
  };
}

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : 1;

/** What the runs of a job have in their environment besides. */
export function runVariables({ env }: WorkerJob): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => OF_RUN.has(name)));
}

/** Of the packages behind the code. */
export const versionStamps = ({ folder }: WarmVersion): FileStamps => packageStamps(folder);

/** The project's own SDK where it has one; null where that is one that knows no runners. */
function runnerPath(folder: string): string | null {
  const { resolve } = createRequire(join(folder, "package.json"));
  if (!canResolve(resolve, "@orchestrator/sdk/execute")) return builtFile("warm-runner");
  return canResolve(resolve, "@orchestrator/sdk/warm-runner");
}

function canResolve(resolve: NodeJS.RequireResolve, name: string): string | null {
  try {
    const path = resolve(name);
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}
