import type { CheckType, JsonObject, MonitorCreate } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { jsonObject } from "../../io/options.ts";
import { withEnvironment } from "../../io/read-document.ts";
import { MisuseError } from "../../output/fail.ts";
import { CHECK_TYPES } from "./words.ts";

export interface TargetOptions {
  readonly type?: CheckType;
  readonly check: readonly JsonObject[];
}

/** How a target is looked at. */
export const withTargetOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--type <type>", "one check of this type; http unless given").choices(CHECK_TYPES),
    )
    .option(
      "--check <json>",
      "a check with its options, @file to read it; may be repeated, and they run one after the other",
      (text: string, before: readonly JsonObject[]) => [...before, jsonObject(text)],
      [],
    );

/** Where nothing is said, the server has its default. */
export function pipelineOf({ type, check }: TargetOptions): Pick<MonitorCreate, "pipeline"> {
  if (type !== undefined && check.length > 0) {
    throw new MisuseError("Give either --type or --check, which says the type as well");
  }
  if (type === undefined && check.length === 0) return {};
  const pipeline = type === undefined ? withEnvironment(check, "--check") : [{ type }];
  return { pipeline } as unknown as Pick<MonitorCreate, "pipeline">;
}
