// Jobs as jobs of a Kubernetes cluster, through its HTTP API. Each has one pod, which is not
// started anew when it fails: whether a run is tried again is for its own policy to say.

import { asError } from "../errors.ts";
import { sleepOrAbort } from "../time.ts";
import {
  callEngine,
  deleteFromEngine,
  isEngineRefusal,
  openEngine,
  unlessNotThere,
} from "./engine-http.ts";
import { IMAGE_VARIABLES, refuseSettings, textSetting } from "./image-job.ts";
import { type Cluster, findCluster } from "./kubernetes-address.ts";
import { FINISHED_TTL_SECONDS, jobName, manifestOf, type NamedJob } from "./kubernetes-manifest.ts";
import { forEachLine } from "./lines.ts";
import { placeholders } from "./process-template.ts";
import type { JobEnd, JobRunner, OnLine, RunningJob } from "./runner.ts";

const LOOK_MS = 1000;
/** Looks at which there was no pod yet. */
const MAX_MISSES = 60;
/** Rights that were taken away may be given back; those that were never there will hardly come. */
const MAX_REFUSALS = 600;
const MAX_FIRST_REFUSALS = 60;
/** Looks without an answer before somebody is told. */
const SILENT_LOOKS = 10;
/**
 * What templates say whose maker thought of no namespace, those of Prefect's workers among them.
 */
const NO_NAMESPACE = "default";
const IDENTIFIER = "kubernetes:";

const VARIABLES = {
  ...IMAGE_VARIABLES,
  namespace: { title: "Namespace", type: "string", description: "The worker's when left out." },
  annotations: {
    title: "Annotations",
    type: "object",
    additionalProperties: { type: "string" },
    description: "Annotations of the job and its pod.",
  },
  service_account_name: { title: "Service Account", type: "string" },
  working_dir: { title: "Working Directory", type: "string", description: "In the container." },
  resources: {
    title: "Resources",
    type: "object",
    description: "`requests` and `limits` of the container, as Kubernetes knows them.",
  },
  finished_job_ttl: {
    title: "Finished Job TTL",
    type: "number",
    default: FINISHED_TTL_SECONDS,
    description: "How long the cluster keeps the job once it has ended, in seconds.",
  },
} as const;

export const kubernetesRunner: JobRunner = {
  type: "kubernetes",
  template: {
    job_configuration: placeholders(Object.keys(VARIABLES)),
    variables: { type: "object", properties: VARIABLES, required: ["image"] },
  },
  async betterDefaults({ namespace }) {
    return namespace === NO_NAMESPACE ? { namespace: (await findCluster()).namespace } : {};
  },
  async start(job, onLine, onPlaced) {
    refuseSettings(job, ["cluster_config"]);
    const cluster = await findCluster();
    const namespace = textSetting(job, "namespace") ?? cluster.namespace;
    const named = { namespace, name: jobName(job) };
    onPlaced({ identifier: identifierOf(named), pid: null });
    const body = manifestOf(job, named);
    try {
      await callEngine(cluster.address, { method: "POST", path: jobsPath(namespace), body });
    } catch (error) {
      // It may be there all the same.
      await deleteJob(cluster, { graceSeconds: 0, ...named }).catch(() => {});
      throw error;
    }
    return new ClusterJob(cluster, { ...named, onLine });
  },
  async hasBegun(identifier) {
    const { namespace, name } = namedIn(identifier);
    const path = `${jobsPath(namespace)}/${name}`;
    const { address } = await findCluster();
    return callEngine(address, { method: "GET", path }).then(() => true, unlessNotThere);
  },
  async takeDown(identifier) {
    await deleteJob(await findCluster(), { graceSeconds: 0, ...namedIn(identifier) });
  },
};

const jobsPath = (namespace: string): string => `/apis/batch/v1/namespaces/${namespace}/jobs`;

const identifierOf = ({ namespace, name }: NamedJob): string => `${IDENTIFIER}${namespace}/${name}`;

function namedIn(identifier: string): NamedJob {
  const [namespace = "", name = ""] = identifier.slice(IDENTIFIER.length).split("/");
  return { namespace, name };
}

/** The job first, so that it makes no other pod in the place of the one that is ended. */
async function deleteJob(
  { address }: Cluster,
  { namespace, name, graceSeconds }: NamedJob & { readonly graceSeconds: number },
): Promise<void> {
  const pods = `/api/v1/namespaces/${namespace}/pods?labelSelector=job-name%3D${name}`;
  const requests = [
    `${jobsPath(namespace)}/${name}?propagationPolicy=Orphan`,
    `${pods}&gracePeriodSeconds=${Math.ceil(graceSeconds)}`,
  ];
  for (const path of requests) await deleteFromEngine(address, path);
}

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly containerStatuses?: readonly {
      readonly state?: {
        readonly waiting?: { readonly reason?: string; readonly message?: string };
        readonly terminated?: { readonly exitCode: number; readonly reason?: string };
      };
    }[];
  };
}

const HOPELESS = new Set(["ErrImageNeverPull", "InvalidImageName", "CreateContainerConfigError"]);

class ClusterJob implements RunningJob {
  readonly identifier: string;
  readonly pid = null;
  readonly ended: Promise<JobEnd>;
  #cluster: Cluster;
  readonly #job: NamedJob;
  #reading: Promise<void> | null = null;
  #isOver = false;

  constructor(cluster: Cluster, { onLine, ...job }: NamedJob & { readonly onLine: OnLine }) {
    this.#cluster = cluster;
    this.#job = job;
    this.identifier = identifierOf(job);
    this.ended = this.#untilEnded(onLine).finally(() => {
      this.#isOver = true;
    });
  }

  stop(graceSeconds: number): void {
    deleteJob(this.#cluster, { ...this.#job, graceSeconds }).catch(async () => {
      await sleepOrAbort(LOOK_MS);
      await this.#findAgain();
      if (!this.#isOver) this.stop(graceSeconds);
    });
  }

  kill(): void {
    this.stop(0);
  }

  /** What may still run, or begin later, is taken away before anybody hears that it has ended. */
  async #untilEnded(onLine: OnLine): Promise<JobEnd> {
    const end = await this.#watch(onLine);
    const refusal = end.code === null ? await this.#takeAway() : null;
    await this.#reading;
    if (refusal === null) return end;
    return { ...end, note: `${end.note}; the job could not be deleted: ${refusal}` };
  }

  /** The code is null where no container told it. */
  async #watch(onLine: OnLine): Promise<JobEnd> {
    let hadPod = false;
    let maxRefusals = MAX_FIRST_REFUSALS;
    let refusals = 0;
    let silences = 0;
    for (let misses = 0; misses < MAX_MISSES; await sleepOrAbort(LOOK_MS)) {
      try {
        const pod = await this.#pod();
        maxRefusals = MAX_REFUSALS;
        refusals = 0;
        silences = 0;
        if (pod === undefined && hadPod) break;
        if (pod === undefined) {
          misses += 1;
          continue;
        }
        hadPod = true;
        if (pod.status?.phase !== "Pending") this.#reading ??= this.#read(pod, onLine);
        const end = endOf(pod);
        if (end !== null) return end;
      } catch (error) {
        const { message } = asError(error);
        if (isEngineRefusal(error)) {
          refusals += 1;
          if (refusals >= maxRefusals) return { code: null, signal: null, note: message };
        } else {
          // Jobs go on there meanwhile, and none could be ended.
          silences += 1;
          if (silences === SILENT_LOOKS) onLine("stderr", `The job cannot be watched: ${message}`);
        }
        await this.#findAgain();
      }
    }
    return { code: null, signal: null, note: hadPod ? "its pod is gone" : "it was given no pod" };
  }

  /** Its address, its certificate or our token may have been replaced since the job was started. */
  async #findAgain(): Promise<void> {
    this.#cluster = await findCluster().catch(() => this.#cluster);
  }

  /** Answers with why the cluster refuses to, if it still does when it was found again. */
  async #takeAway(): Promise<string | null> {
    for (let refusals = 0; ; await sleepOrAbort(LOOK_MS)) {
      try {
        await deleteJob(this.#cluster, { graceSeconds: 0, ...this.#job });
        return null;
      } catch (error) {
        if (isEngineRefusal(error)) refusals += 1;
        if (refusals > 1) return asError(error).message;
        await this.#findAgain();
      }
    }
  }

  async #pod(): Promise<Pod | undefined> {
    const { namespace, name } = this.#job;
    const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=job-name%3D${name}`;
    const { items } = await callEngine<{ readonly items: readonly Pod[] }>(this.#cluster.address, {
      method: "GET",
      path,
    });
    return items[0];
  }

  /** The cluster mixes both streams. */
  async #read({ metadata }: Pod, onLine: OnLine): Promise<void> {
    const path = `/api/v1/namespaces/${this.#job.namespace}/pods/${metadata.name}/log?follow=true`;
    try {
      const log = await openEngine(this.#cluster.address, { method: "GET", path });
      await forEachLine(log, (text) => onLine("stdout", text));
    } catch {
      // What cannot be read is not kept; the job's end does not depend on it.
    }
  }
}

function endOf({ status }: Pod): JobEnd | null {
  const state = status?.containerStatuses?.[0]?.state;
  if (state?.terminated !== undefined) {
    const { exitCode: code, reason } = state.terminated;
    const isPlain = reason === undefined || reason === "Completed" || reason === "Error";
    return { code, signal: null, ...(!isPlain && { note: reason }) };
  }
  const waiting = state?.waiting;
  if (waiting?.reason !== undefined && HOPELESS.has(waiting.reason)) {
    return { code: null, signal: null, note: `${waiting.reason}: ${waiting.message ?? ""}` };
  }
  if (status?.phase !== "Failed") return null;
  return { code: null, signal: null, note: status.message ?? status.reason ?? "the pod failed" };
}
