// The container that an engine is given for a run.

import { resolve } from "node:path";
import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { commandOf, textSetting } from "./image-job.ts";
import { textsOf } from "./prepare-job.ts";
import { JobError, type WorkerJob } from "./runner.ts";

export function containerOf(job: WorkerJob, image: string): JsonObject {
  const { configuration, env, flowRunId } = job;
  const folder = textSetting(job, "working_dir");
  const [network = textSetting(job, "network_mode")] = networksOf(job);
  const volumes = configuration["volumes"];
  const memory = bytesOf(configuration["mem_limit"]);
  const withSwap = bytesOf(configuration["memswap_limit"]);
  return {
    Image: image,
    Cmd: commandOf(job),
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Labels: { ...textsOf(configuration["labels"]), "orchestrator.flow-run-id": flowRunId },
    ...(folder !== null && { WorkingDir: folder }),
    HostConfig: {
      Init: true,
      ...(Array.isArray(volumes) && { Binds: volumes.map(bindOf) }),
      ...(network !== null && { NetworkMode: network }),
      ...(memory !== null && { Memory: memory }),
      ...(withSwap !== null && { MemorySwap: withSwap }),
      ...(configuration["privileged"] === true && { Privileged: true }),
    },
  };
}

/** The container is made in the first, and joins the others before it starts. */
export function networksOf({ configuration }: WorkerJob): readonly string[] {
  const networks = configuration["networks"];
  return Array.isArray(networks) ? networks.map(String) : [];
}

/**
 * The engine knows no folder to begin at, so that is the worker's; what is no path, such as `data`,
 * is a volume's name.
 */
function bindOf(volume: JsonValue): JsonValue {
  if (typeof volume !== "string") return volume;
  const [, from, rest] = /^(\.{1,2}(?:[\\/][^:]*)?)(:.*)$/.exec(volume) ?? [];
  return from === undefined ? volume : `${resolve(from)}${rest}`;
}

const UNITS = ["b", "k", "m", "g", "t"];

/** A number of bytes, or a text such as `512m`. */
function bytesOf(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return null;
  const written = typeof value === "string" ? value.trim() : JSON.stringify(value);
  const [, count, unit] = /^(-?\d+(?:\.\d+)?)\s*([bkmgt])?b?$/i.exec(written) ?? [];
  if (count === undefined)
    throw new JobError(`${JSON.stringify(value)} is no amount of memory such as 512m or 2g`);
  return Math.round(Number(count) * 1024 ** UNITS.indexOf((unit ?? "b").toLowerCase()));
}
