import { dockerRunner } from "./docker-runner.ts";
import { kubernetesRunner } from "./kubernetes-runner.ts";
import { processRunner } from "./process-runner.ts";
import type { JobRunner } from "./runner.ts";

const RUNNERS: readonly JobRunner[] = [processRunner, dockerRunner, kubernetesRunner];

/** The types of pools that can be served. */
export const WORKER_TYPES: readonly string[] = RUNNERS.map(({ type }) => type);

/** Undefined for a type that nobody here knows. */
export function runnerOf(type: string): JobRunner | undefined {
  return RUNNERS.find((runner) => runner.type === type);
}
