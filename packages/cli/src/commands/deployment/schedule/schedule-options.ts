import type { DeploymentScheduleCreate, JsonObject } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { moment, pair, parseDuration } from "../../../io/options.ts";

/** A schedule as the command line says it. */
export interface ScheduleFlags {
  readonly cron?: string;
  readonly interval?: number;
  readonly anchor?: string;
  readonly rrule?: string;
  readonly timezone?: string;
  readonly slug?: string;
  readonly catchup?: NonNullable<DeploymentScheduleCreate["catchup"]>;
  readonly overlap?: NonNullable<DeploymentScheduleCreate["overlap"]>;
  readonly jitter?: number;
  readonly param?: JsonObject;
  readonly active?: boolean;
}

export function withScheduleOptions(command: Command): Command {
  return command
    .option("--cron <expression>", "such as '0 9 * * 1-5'")
    .addOption(
      new Option("--interval <time>", "such as 10m or 1h30m")
        .argParser(parseDuration)
        .conflicts("cron"),
    )
    .option("--anchor <time>", "one of the times of the interval", moment)
    .addOption(
      new Option("--rrule <rule>", "such as 'FREQ=DAILY;BYHOUR=9'").conflicts(["cron", "interval"]),
    )
    .option("--timezone <zone>", "such as Europe/Paris")
    .option("--slug <slug>", "a name for it")
    .addOption(
      new Option("--catchup <how>", "times that passed while no server ran").choices([
        "all",
        "latest",
        "none",
      ]),
    )
    .addOption(
      new Option("--overlap <how>", "while an earlier run has not ended").choices([
        "allow",
        "skip",
        "queue",
        "cancel-running",
      ]),
    )
    .option("--jitter <time>", "spread the times by up to so long", parseDuration)
    .option("--param <name=value>", "a parameter of its runs; may be repeated", pair);
}

export const saysTimes = ({ cron, interval, rrule }: ScheduleFlags): boolean =>
  cron !== undefined || interval !== undefined || rrule !== undefined;

export function scheduleFromFlags(options: ScheduleFlags): DeploymentScheduleCreate {
  const { cron, interval, anchor, rrule, timezone, slug, catchup, overlap, jitter, param } =
    options;
  return {
    schedule: {
      ...(cron !== undefined && { cron }),
      ...(interval !== undefined && { interval }),
      ...(anchor !== undefined && { anchor_date: anchor }),
      ...(rrule !== undefined && { rrule }),
      ...(timezone !== undefined && { timezone }),
    },
    active: options.active ?? true,
    ...(slug !== undefined && { slug }),
    ...(catchup !== undefined && { catchup }),
    ...(overlap !== undefined && { overlap }),
    ...(jitter !== undefined && { jitter_seconds: jitter }),
    ...(param !== undefined && { parameters: param }),
  };
}
