// What jobs in containers have in common, whichever engine runs them.

import type { JsonObject } from "@orchestrator/contract";
import { COMMON_VARIABLES } from "./process-template.ts";
import { JobError, type WorkerJob } from "./runner.ts";

const EXECUTE = ["node", "node_modules/@orchestrator/sdk/dist/execute.js"];

export const IMAGE_VARIABLES = {
  ...COMMON_VARIABLES,
  image: { title: "Image", type: "string", description: "What the container is made of." },
  image_pull_policy: imagePullPolicy(["IfNotPresent", "Always", "Never"]),
} as const;

export function imagePullPolicy(policies: readonly string[]): JsonObject {
  return { title: "Image Pull Policy", type: "string", enum: policies, default: "IfNotPresent" };
}

export function imageOf(job: WorkerJob): string {
  const image = textSetting(job, "image");
  if (image === null) throw new JobError("The job names no image");
  return image;
}

/** What runs in the container: unless a command is given, the flow. */
export function commandOf({ command }: WorkerJob): string[] {
  return typeof command === "string" ? ["/bin/sh", "-c", command] : [...(command ?? EXECUTE)];
}

export function textSetting({ configuration }: WorkerJob, name: string): string | null {
  const value = configuration[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * What the pool's template has a place for, but this worker cannot do, is refused rather than
 * passed over.
 */
export function refuseSettings({ configuration }: WorkerJob, names: readonly string[]): void {
  const given = names.filter((name) => configuration[name] != null);
  if (given.length === 0) return;
  throw new JobError(`The job has settings that this worker cannot follow: ${given.join(", ")}`);
}
