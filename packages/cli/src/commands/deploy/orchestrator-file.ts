// `orchestrator.yaml`: the deployments of a project. What is wrong with it is said with the place where it stands.

import { readFileSync } from "node:fs";
import type { DeploymentScheduleCreate, JsonObject } from "@orchestrator/contract";
import { parseDocument } from "yaml";
import { ordinaryIntegers, YAML_NUMBERS } from "../../io/yaml-numbers.ts";
import { UsageError } from "../../output/fail.ts";
import { scheduleFrom } from "./file-schedule.ts";
import {
  flagValue,
  listValue,
  recordValue,
  rejectUnknownKeys,
  textValue,
  wholeNumberValue,
} from "./file-values.ts";

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
  name: textValue,
  flow: textValue,
  entrypoint: textValue,
  command: textValue,
  path: textValue,
  work_pool: textValue,
  work_queue: textValue,
  description: textValue,
  version: textValue,
  tags: (value, where) => listValue(value, where).map((tag, i) => textValue(tag, `${where}[${i}]`)),
  parameters: recordValue,
  job_variables: recordValue,
  schedules: (value, where) =>
    listValue(value, where).map((schedule, i) => {
      const place = `${where}[${i}]`;
      return scheduleFrom(recordValue(schedule, place), place);
    }),
  paused: flagValue,
  concurrency_limit: wholeNumberValue,
  collision_strategy: textValue,
  enforce_parameter_schema: flagValue,
};

export function readDeployments(path: string): FileDeployment[] {
  const content = recordValue(parse(path), "the file");
  rejectUnknownKeys(Object.keys(content), {
    known: ["deployments", "defaults"],
    where: "the file",
  });
  const defaults =
    content["defaults"] === undefined ? {} : recordValue(content["defaults"], "defaults");
  const deployments = listValue(content["deployments"], "deployments").map((entry, i) =>
    deploymentFrom(
      { ...defaults, ...recordValue(entry, `deployments[${i}]`) },
      `deployments[${i}]`,
    ),
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
  rejectUnknownKeys(Object.keys(entry), { known: Object.keys(FIELDS), where });
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
