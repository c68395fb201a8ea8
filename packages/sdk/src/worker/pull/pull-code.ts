// The pull steps of a deployment: they bring the code of a run into a folder, before it starts.

import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type { JsonObject, JsonValue } from "@orchestrator/contract";
import type { PullPlan } from "../pull-plan.ts";
import { JobError } from "../runner.ts";
import { archive } from "./archive.ts";
import type { CodeCache } from "./code-cache.ts";
import { gitClone } from "./git-clone.ts";
import {
  isScript,
  type NamedStep,
  preparationKey,
  preparationSteps,
  stepWord,
} from "./preparation.ts";
import { type Preparation, type PullContext, type PullStep, StepSettings } from "./pull-context.ts";
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

const STEPS: Readonly<Record<string, PullStep>> = {
  git_clone: gitClone,
  set_working_directory: setWorkingDirectory,
  run_shell_script: runShellScript,
  archive,
  pull_archive: archive,
};
const CACHED: ReadonlySet<PullStep> = new Set([gitClone, archive]);
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
  const word = stepWord(name);
  return Object.hasOwn(STEPS, word) ? STEPS[word] : undefined;
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
    const folder = await performSteps(plan, { ...around, signal }, releases);
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

async function performSteps(
  plan: PullPlan,
  around: Surroundings,
  releases: (() => void)[],
): Promise<string | null> {
  const steps = plan.steps.flatMap((step) =>
    Object.entries(step).map(([name, given]): NamedStep => [name, (given ?? {}) as JsonObject]),
  );
  const outputs = new Map<string, JsonValue>();
  const keep = ({ id }: JsonObject, values: JsonObject): void => {
    if (typeof id !== "string") return;
    for (const [key, value] of Object.entries(values)) outputs.set(`${id}.${key}`, value);
  };
  const filled = ([name, given]: NamedStep): NamedStep => [name, fillOutputs(given, outputs)];
  const perform = async (
    named: NamedStep,
    folder: string | null,
    behind: readonly NamedStep[],
  ): Promise<string | null> => {
    const [name, settings] = filled(named);
    const preparation: Preparation = {
      key: preparationKey(behind.map(filled), around.env),
      perform: async (values) => {
        keep(settings, values);
        let at: string | null = values.directory;
        for (const each of behind) at = await perform(each, at, []);
      },
    };
    const own = Object.fromEntries(Object.entries(settings).filter(([key]) => !COMMON.has(key)));
    const context = { ...around, folder, preparation };
    const output = await stepOf(name)?.(new StepSettings(name, own), context);
    if (output?.release !== undefined) releases.push(output.release);
    keep(settings, output?.values ?? {});
    return output?.folder ?? null;
  };
  let { folder } = plan;
  let preparedUntil = 0;
  for (const [i, named] of steps.entries()) {
    if (i < preparedUntil && isScript(named)) continue;
    const step = stepOf(named[0]);
    const isCached = step !== undefined && CACHED.has(step);
    const behind = isCached ? preparationSteps(steps.slice(i + 1).map(filled)) : [];
    if (isCached) preparedUntil = i + 1 + behind.length;
    folder = await perform(named, folder, behind);
  }
  return folder;
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
