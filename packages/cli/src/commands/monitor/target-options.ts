import type { JsonObject, MonitorCreate } from "@orchestrator/contract";
import type { Command } from "commander";
import { jsonObject } from "../../io/options.ts";
import { withEnvironment } from "../../io/read-document.ts";
import type { Session } from "../../io/session.ts";
import { MisuseError, UsageError } from "../../output/fail.ts";

export interface TargetOptions {
  readonly type?: string;
  readonly check: readonly JsonObject[];
}

type Pipeline = Pick<MonitorCreate, "pipeline">;

/** How a target is looked at. */
export const withTargetOptions = (command: Command): Command =>
  command
    .option("--type <type>", "one check of this type, such as tcp or heartbeat; http unless given")
    .option(
      "--check <json>",
      "a check with its options, @file to read it; may be repeated, and they run one after the other",
      (text: string, before: readonly JsonObject[]) => [...before, jsonObject(text)],
      [],
    );

/** Where nothing is said, the server has its default. */
export async function pipelineOf(
  session: Session,
  { type, check }: TargetOptions,
): Promise<Pipeline> {
  if (type !== undefined && check.length > 0) {
    throw new MisuseError("Give either --type or --check, which says the type as well");
  }
  if (type !== undefined) return { pipeline: [{ type: await known(session, type) }] };
  if (check.length === 0) return {};
  // What is no check after all, the server refuses.
  return { pipeline: withEnvironment(check, "--check") } as Pipeline;
}

/** Only the server knows which types there are. */
async function known({ uptime }: Session, type: string): Promise<string> {
  const types = (await uptime.monitors.checkKinds()).map((kind) => kind.type);
  if (types.includes(type)) return type;
  throw new UsageError(`There is no check of type ${type}. There are: ${types.join(", ")}`);
}
