import type { JsonObject, MonitorCreate } from "@orchestrator/contract";
import type { Command } from "commander";
import { jsonObject } from "../../io/options.ts";
import { withEnvironment } from "../../io/read-document.ts";
import { MisuseError } from "../../output/fail.ts";

export interface MonitorTargetOptions {
  readonly type?: string;
  readonly check: readonly JsonObject[];
}

type Pipeline = Pick<MonitorCreate, "pipeline">;

/** How a target is looked at. */
export const withTargetOptions = (command: Command): Command =>
  command
    .option("--type <type>", "one check of a type that `monitor types` lists; http unless given")
    .option(
      "--check <json>",
      "a check with its options, @file to read it; may be repeated, and they run one after the other",
      (text: string, before: readonly JsonObject[]) => [...before, jsonObject(text)],
      [],
    );

/**
 * Where nothing is said, the server has its default. Which types and options there are, only the
 * server knows.
 */
export function pipelineOf({ type, check }: MonitorTargetOptions): Pipeline {
  if (type !== undefined && check.length > 0) {
    throw new MisuseError("Give either --type or --check, which says the type as well");
  }
  if (type !== undefined) return { pipeline: [{ type }] };
  if (check.length === 0) return {};
  // What is no check after all, the server refuses.
  return { pipeline: withEnvironment(check, "--check") } as Pipeline;
}
