import { systemClock } from "@orchestrator/kernel/pure";
import type { CheckConfig } from "../checks/registry.ts";
import { type PipelineDeps, type PipelineOutcome, runPipeline } from "../checks/run-pipeline.ts";

/** Runs checks against an address, once and with no second attempt unless the test asks for one. */
export function probe(
  url: string,
  pipeline: readonly CheckConfig[] = [],
  deps: Partial<PipelineDeps> = {},
): Promise<PipelineOutcome> {
  const all = pipeline.length === 0 ? [{ type: "http" } as const] : pipeline;
  return runPipeline(
    { id: "00000000-0000-4000-8000-000000000001", url, pipeline: all.map(once) },
    {
      policy: { allowPrivate: true, allowed: [] },
      signal: new AbortController().signal,
      clock: systemClock,
      ...deps,
    },
  );
}

function once(config: CheckConfig): CheckConfig {
  return config.type === "heartbeat" ? config : { retries: 0, ...config };
}
