// `orchestrator.yaml`: the deployments of a project. What is wrong with it is said with the place
// where it stands.

import { readFileSync } from "node:fs";
import type { DeploymentScheduleCreate, JsonObject, JsonValue } from "@orchestrator/contract";
import { parseDocument } from "yaml";
import { ordinaryIntegers, YAML_NUMBERS } from "../../io/yaml-numbers.ts";
import { UsageError } from "../../output/fail.ts";
import { concurrencyValue } from "./file-concurrency.ts";
import { scheduleFrom } from "./file-schedule.ts";
import { automationsValue, type FileAutomation, triggersValue } from "./file-triggers.ts";
import {
  flagValue,
  listValue,
  oneOfValue,
  recordValue,
  rejectUnknownKeys,
  textValue,
  wholeNumberValue,
} from "./file-values.ts";

type Reader<Value> = (value: unknown, where: string) => Value;

/** A key that the server knows by the same name, and what it gets where the file leaves it out. */
const same = <Value>(read: Reader<Value>, leftOut: Value | null) => ({ read, leftOut });

export const SAME_ON_SERVER = {
  parameters: same(recordValue, {}),
  enforce_parameter_schema: same(flagValue, true),
  concurrency_limit: same(wholeNumberValue, null),
} as const;

const ON_CRASH = ["resume", "fail"] as const;

/** Keys that mean something else on the server, or come from the flow where they are left out. */
const OWN = {
  name: textValue,
  /** The flow's name; where there is an entrypoint, the flow says it itself. */
  flow: textValue,
  entrypoint: textValue,
  /** What to run instead of a flow in TypeScript. */
  command: textValue,
  path: textValue,
  work_pool: textValue,
  work_queue: textValue,
  description: textValue,
  version: textValue,
  tags: (value: unknown, where: string): readonly string[] =>
    listValue(value, where).map((tag, i) => textValue(tag, `${where}[${i}]`)),
  job_variables: recordValue,
  schedules: (value: unknown, where: string): readonly DeploymentScheduleCreate[] =>
    listValue(value, where).map((schedule, i) => {
      const place = `${where}[${i}]`;
      return scheduleFrom(recordValue(schedule, place), place);
    }),
  paused: flagValue,
  /** What becomes of a run whose machine is lost. */
  on_crash: (value: unknown, where: string) => oneOfValue(value, where, ON_CRASH),
  collision_strategy: textValue,
  concurrency: concurrencyValue,
  /** Steps that bring the code along, in place of a folder of the worker. */
  pull: (value: unknown, where: string): readonly JsonObject[] =>
    listValue(value, where).map((step, i) => recordValue(step, `${where}[${i}]`)),
  /** Events that start a run of it. */
  triggers: triggersValue,
} as const;

type Own = { readonly [Key in keyof typeof OWN]?: ReturnType<(typeof OWN)[Key]> };
type Same = {
  readonly [Key in keyof typeof SAME_ON_SERVER]?: ReturnType<(typeof SAME_ON_SERVER)[Key]["read"]>;
};
/** A deployment as the file says it. */
export type FileDeployment = Own & Same & { readonly name: string };

const FIELDS: Readonly<Record<string, Reader<unknown>>> = {
  ...OWN,
  ...Object.fromEntries(Object.entries(SAME_ON_SERVER).map(([key, { read }]) => [key, read])),
};

/** What a file describes. */
export interface ProjectFile {
  readonly deployments: readonly FileDeployment[];
  readonly automations: readonly FileAutomation[];
}

export function readProjectFile(path: string): ProjectFile {
  const content = recordValue(parse(path), "the file");
  rejectUnknownKeys(Object.keys(content), {
    known: ["deployments", "defaults", "pull", "triggers"],
    where: "the file",
  });
  const defaults =
    content["defaults"] === undefined ? {} : recordValue(content["defaults"], "defaults");
  const pull = content["pull"] === undefined ? {} : { pull: content["pull"] as JsonValue };
  const deployments = listValue(content["deployments"], "deployments").map((entry, i) =>
    deploymentFrom(
      { ...pull, ...defaults, ...recordValue(entry, `deployments[${i}]`) },
      `deployments[${i}]`,
    ),
  );
  if (deployments.length === 0) throw new UsageError(`${path} names no deployments`);
  return { deployments, automations: automationsValue(content["triggers"] ?? [], "triggers") };
}

function parse(path: string): unknown {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new UsageError(
      `There is no ${path}: \`orchestrator init\` makes one, and --file names another`,
    );
  }
  const document = parseDocument(content, YAML_NUMBERS);
  const [problem] = document.errors;
  if (problem !== undefined) throw new UsageError(`${path}: ${problem.message}`);
  return document.toJS({ reviver: ordinaryIntegers });
}

function deploymentFrom(entry: JsonObject, where: string): FileDeployment {
  rejectUnknownKeys(Object.keys(entry), { known: Object.keys(FIELDS), where });
  const fields = Object.entries(entry)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, FIELDS[name]?.(value, `${where}.${name}`)]);
  const deployment = Object.fromEntries(fields) as Partial<FileDeployment>;
  const { name, entrypoint, command, flow } = deployment;
  const flat = (["concurrency_limit", "collision_strategy"] as const).find(
    (key) => key in deployment,
  );
  if (deployment.concurrency !== undefined && flat !== undefined)
    throw new UsageError(`${where} has both concurrency and ${flat}: take one of them`);
  if (name === undefined) throw new UsageError(`${where} needs a name`);
  if ((entrypoint === undefined) === (command === undefined)) {
    throw new UsageError(`${where} (${name}) needs either an entrypoint or a command`);
  }
  if (command !== undefined && flow === undefined) {
    throw new UsageError(`${where} (${name}) runs a command, and needs the name of its flow: flow`);
  }
  return { ...deployment, name };
}
