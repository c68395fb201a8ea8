// The Job that a cluster is given for a run.

import { randomBytes } from "node:crypto";
import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { commandOf, imageOf, textSetting } from "./image-job.ts";
import { textsOf } from "./prepare-job.ts";
import type { WorkerJob } from "./runner.ts";

export const FINISHED_TTL_SECONDS = 300;

export interface NamedJob {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Pools that are made for Prefect's workers describe the whole Job in their template, as
 * `job_manifest`. What it says holds, but for what this worker has to know itself: which command
 * runs, that it runs once, and by which names the job is found again.
 */
export function manifestOf(job: WorkerJob, { namespace, name }: NamedJob): JsonObject {
  const { configuration, flowRunId } = job;
  const given = objectOf(configuration["job_manifest"]);
  const metadata = objectOf(given["metadata"]);
  const spec = objectOf(given["spec"]);
  const template = objectOf(spec["template"]);
  const podMetadata = objectOf(template["metadata"]);
  const podSpec = objectOf(template["spec"]);
  const [first, ...others] = listOf(podSpec["containers"]);
  const { generateName: _, ...about } = metadata;
  const labels = { ...textsOf(configuration["labels"]), "orchestrator/flow-run-id": flowRunId };
  const annotations = {
    ...objectOf(metadata["annotations"]),
    ...textsOf(configuration["annotations"]),
  };
  const isAnnotated = Object.keys(annotations).length > 0;
  const podAnnotations = { ...objectOf(podMetadata["annotations"]), ...annotations };
  const ttl = configuration["finished_job_ttl"] ?? spec["ttlSecondsAfterFinished"];
  const account = textSetting(job, "service_account_name");
  return {
    ...given,
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      ...about,
      namespace,
      name,
      labels: { ...objectOf(metadata["labels"]), ...labels },
      ...(isAnnotated && { annotations }),
    },
    spec: {
      ...spec,
      backoffLimit: 0,
      ttlSecondsAfterFinished: typeof ttl === "number" ? ttl : FINISHED_TTL_SECONDS,
      template: {
        ...template,
        metadata: {
          ...podMetadata,
          labels: { ...objectOf(podMetadata["labels"]), ...labels },
          ...(isAnnotated && { annotations: podAnnotations }),
        },
        spec: {
          ...podSpec,
          restartPolicy: "Never",
          ...(account !== null && { serviceAccountName: account }),
          containers: [containerOf(job, objectOf(first)), ...others],
        },
      },
    },
  };
}

function containerOf(job: WorkerJob, given: JsonObject): JsonObject {
  const { args: _, image, resources: limited, ...rest } = given;
  const resources = resourcesOf(objectOf(job.configuration["resources"]), objectOf(limited));
  const [folder, policy] = [textSetting(job, "working_dir"), textSetting(job, "image_pull_policy")];
  return {
    ...rest,
    name: "job",
    image: typeof image === "string" && image !== "" ? image : imageOf(job),
    command: commandOf(job),
    env: [
      ...listOf(given["env"]),
      ...Object.entries(job.env).map(([name, value]) => ({ name, value })),
    ],
    ...(policy !== null && { imagePullPolicy: policy }),
    ...(folder !== null && { workingDir: folder }),
    ...(Object.keys(resources).length > 0 && { resources }),
  };
}

/** What the job asks for, as far as the manifest says nothing of it. */
function resourcesOf(asked: JsonObject, given: JsonObject): JsonObject {
  const both = (name: "limits" | "requests"): JsonObject => {
    const amounts = { ...objectOf(asked[name]), ...objectOf(given[name]) };
    return Object.keys(amounts).length > 0 ? { [name]: amounts } : {};
  };
  const { limits: _, requests: __, ...others } = { ...asked, ...given };
  return { ...others, ...both("limits"), ...both("requests") };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

/**
 * Made here and not by the cluster, so that it is known before the job is there. A run that is
 * tried again has several.
 */
export const jobName = (job: WorkerJob): string =>
  `${plainName(textSetting(job, "name") ?? job.flowRunName)}-${randomBytes(4).toString("hex")}`;

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40) || "job";
