// What may be said about a deployment whose runs are executed in this process.

import type { JsonObject } from "@orchestrator/contract";
import type { ServeOptions } from "@orchestrator/sdk";
import { type Command, Option } from "commander";
import { parseDuration, parseWholeNumber, several } from "../../io/options.ts";

export interface ServeFlags {
  readonly name: string;
  readonly cron?: string;
  readonly interval?: number;
  readonly rrule?: string;
  readonly timezone?: string;
  readonly param?: JsonObject;
  readonly tag: readonly string[];
  readonly limit?: number;
  readonly pauseOnStop: boolean;
}

export const withServeFlags = (command: Command): Command =>
  command
    .requiredOption("-n, --name <name>", "the name of the deployment")
    .option("--cron <expression>", "when to run it")
    .addOption(
      new Option("--interval <time>", "how often to run it, such as 10m")
        .argParser(parseDuration)
        .conflicts("cron"),
    )
    .addOption(new Option("--rrule <rule>", "when to run it").conflicts(["cron", "interval"]))
    .option("--timezone <zone>", "of the schedule, such as Europe/Paris")
    .option("--tag <tag>", "may be repeated", several, [])
    .option("--limit <count>", "how many runs are executed at once", parseWholeNumber(1))
    .option("--no-pause-on-stop", "leave the schedules active when it is stopped");

export const serveOptionsOf = (flags: ServeFlags): ServeOptions => ({
  name: flags.name,
  ...(flags.cron !== undefined && { cron: flags.cron }),
  ...(flags.interval !== undefined && { intervalSeconds: flags.interval }),
  ...(flags.rrule !== undefined && { rrule: flags.rrule }),
  ...(flags.timezone !== undefined && { timezone: flags.timezone }),
  ...(flags.param !== undefined && { parameters: flags.param }),
  ...(flags.limit !== undefined && { limit: flags.limit }),
  tags: flags.tag,
  pauseOnStop: flags.pauseOnStop,
});
