// The pull steps of a deployment: they bring the code of a run into a folder, before it starts.

import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type { JsonObject, JsonValue } from "@orchestrator/contract";
import type { PullPlan } from "../pull-plan.ts";
import { JobError } from "../runner.ts";
import { archive } from "./archive.ts";
import type { CodeCache } from "./code-cache.ts";
import { gitClone } from "./git-clone.ts";
import { type PullContext, type PullStep, StepSettings } from "./pull-context.ts";
import type { Redaction } from "./redaction.ts";
import { runProgram } from "./run-program.ts";

const setWorkingDirectory: PullStep = async (settings, { folder }) => {
  const directory = resolve(folder ?? ".", settings.needText("directory"));
  return { folder: directory, values: { directory } };
};

/** The script is read from standard input: words of a command line are no place for secrets. */
const runShellScript: PullStep = async (settings, context) => {
  const { folder } = context;
  const directory = settings.text("directory");
  const env = Object.entries(settings.object("env")).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const { stdout, stderr } = await runProgram(
    {
      title: "The script",
      words: ["/bin/sh", "-e", "-s"],
      cwd: resolve(folder ?? tmpdir(), directory ?? "."),
      env: { ...context.env, ...(Object.fromEntries(env) as Record<string, string>) },
      input: `${settings.needText("script")}\n`,
      isShown: true,
    },
    context,
  );
  return { folder, values: { stdout, stderr } };
};

/** By the last part of the name, after any prefix such as `prefect.deployments.steps.`. */
const STEPS: Readonly<Record<string, PullStep>> = {
  git_clone: gitClone,
  set_working_directory: setWorkingDirectory,
  run_shell_script: runShellScript,
  archive,
  pull_archive: archive,
};
const NAME =
  /^(?:(?:prefect|orchestrator)\.deployments\.steps\.(?:core\.|pull\.|utility\.)?)?(\w+)$/;
const COMMON = new Set(["id", "requires"]);

/** Why a step cannot be run; null where all can. */
function stepProblem(steps: readonly JsonObject[]): string | null {
  const names = steps.flatMap((step) => Object.keys(step));
  const unknown = names.find((name) => stepOf(name) === undefined);
  return unknown === undefined
    ? null
    : `The deployment's pull step ${unknown} is none that this worker can do`;
}

const stepOf = (name: string): PullStep | undefined => {
  const [, last = ""] = NAME.exec(name) ?? [];
  return Object.hasOwn(STEPS, last) ? STEPS[last] : undefined;
};

export interface PulledCode {
  readonly folder: string | null;
  readonly release: () => void;
}

interface Surroundings {
  readonly cache: CodeCache;
  readonly redaction: Redaction;
  readonly env: PullContext["env"];
  readonly signal: AbortSignal;
  readonly say: PullContext["say"];
}

/** Long enough for a large repository, and shorter than the server waits for a claimed run. */
const MAX_SECONDS = 480;

export async function pullCode(plan: PullPlan, around: Surroundings): Promise<PulledCode> {
  const problem = stepProblem(plan.steps);
  if (problem !== null) throw new JobError(problem);
  const { redaction } = around;
  redaction.add(plan.secrets);
  const timeout = AbortSignal.timeout(MAX_SECONDS * 1000);
  const signal = AbortSignal.any([around.signal, timeout]);
  const releases: (() => void)[] = [];
  const release = (): void => {
    for (const each of releases) each();
  };
  try {
    let { folder } = plan;
    const outputs = new Map<string, JsonValue>();
    for (const [name, given] of plan.steps.flatMap((step) => Object.entries(step))) {
      const settings = fillOutputs((given ?? {}) as JsonObject, outputs);
      const step = stepOf(name);
      if (step === undefined) continue;
      const own = Object.fromEntries(Object.entries(settings).filter(([key]) => !COMMON.has(key)));
      const output = await step(new StepSettings(name, own), { ...around, folder, signal });
      if (output.release !== undefined) releases.push(output.release);
      folder = output.folder;
      const { id } = settings;
      if (typeof id === "string")
        for (const [key, value] of Object.entries(output.values))
          outputs.set(`${id}.${key}`, value);
    }
    return { folder, release };
  } catch (error) {
    release();
    if (timeout.aborted && !around.signal.aborted)
      throw new JobError(`The pull steps took more than ${MAX_SECONDS} seconds`);
    if (!(error instanceof Error)) throw error;
    const message = redaction.apply(error.message);
    throw around.signal.aborted ? error : new JobError(message);
  }
}

const OUTPUT = /\{\{\s*([\w-]+\.\w+)\s*\}\}/g;

/** `{{ clone.directory }}` is what the step with the id `clone` gave. */
function fillOutputs(settings: JsonObject, outputs: ReadonlyMap<string, JsonValue>): JsonObject {
  const fill = (value: JsonValue): JsonValue => {
    if (typeof value === "string")
      return value.replaceAll(OUTPUT, (written, name: string) => {
        const found = outputs.get(name);
        return typeof found === "string" ? found : written;
      });
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(fill);
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, fill(each as JsonValue)]),
    );
  };
  return fill(settings) as JsonObject;
}
