// `orchestrator.yaml`: the deployments of a project. What is wrong with it is said with the place where it stands.

import { readFileSync } from "node:fs";
import type { DeploymentScheduleCreate, JsonObject } from "@orchestrator/contract";
import { parseDocument } from "yaml";
import { ordinaryIntegers, YAML_NUMBERS } from "../../io/yaml-numbers.ts";
import { UsageError } from "../../output/fail.ts";
import { scheduleFrom } from "./file-schedule.ts";
import { flag, list, record, requireKnown, text, wholeNumber } from "./file-values.ts";

/** A deployment as the file says it. */
export interface FileDeployment {
  readonly name: string;
  /** The flow's name; where there is an entrypoint, the flow says it itself. */
  readonly flow?: string;
  readonly entrypoint?: string;
  /** What to run instead of a flow in TypeScript. */
  readonly command?: string;
  readonly path?: string;
  readonly work_pool?: string;
  readonly work_queue?: string;
  readonly description?: string;
  readonly version?: string;
  readonly tags?: readonly string[];
  readonly parameters?: JsonObject;
  readonly job_variables?: JsonObject;
  readonly schedules?: readonly DeploymentScheduleCreate[];
  readonly paused?: boolean;
  readonly concurrency_limit?: number;
  readonly collision_strategy?: string;
  readonly enforce_parameter_schema?: boolean;
}

type Reader = (value: unknown, where: string) => unknown;

const FIELDS: Readonly<Record<keyof FileDeployment, Reader>> = {
  name: text,
  flow: text,
  entrypoint: text,
  command: text,
  path: text,
  work_pool: text,
  work_queue: text,
  description: text,
  version: text,
  tags: (value, where) => list(value, where).map((tag, i) => text(tag, `${where}[${i}]`)),
  parameters: record,
  job_variables: record,
  schedules: (value, where) =>
    list(value, where).map((schedule, i) => {
      const place = `${where}[${i}]`;
      return scheduleFrom(record(schedule, place), place);
    }),
  paused: flag,
  concurrency_limit: wholeNumber,
  collision_strategy: text,
  enforce_parameter_schema: flag,
};

export function readDeployments(path: string): FileDeployment[] {
  const content = record(parse(path), "the file");
  requireKnown(Object.keys(content), { known: ["deployments", "defaults"], where: "the file" });
  const defaults = content["defaults"] === undefined ? {} : record(content["defaults"], "defaults");
  const deployments = list(content["deployments"], "deployments").map((entry, i) =>
    deploymentFrom({ ...defaults, ...record(entry, `deployments[${i}]`) }, `deployments[${i}]`),
  );
  if (deployments.length === 0) throw new UsageError(`${path} names no deployments`);
  return deployments;
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
  requireKnown(Object.keys(entry), { known: Object.keys(FIELDS), where });
  const fields = Object.entries(entry)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [
      name,
      FIELDS[name as keyof FileDeployment](value, `${where}.${name}`),
    ]);
  const deployment = Object.fromEntries(fields) as Partial<FileDeployment>;
  const { name, entrypoint, command, flow } = deployment;
  if (name === undefined) throw new UsageError(`${where} needs a name`);
  if ((entrypoint === undefined) === (command === undefined)) {
    throw new UsageError(`${where} (${name}) needs either an entrypoint or a command`);
  }
  if (command !== undefined && flow === undefined) {
    throw new UsageError(`${where} (${name}) runs a command, and needs the name of its flow: flow`);
  }
  return { ...deployment, name };
}
