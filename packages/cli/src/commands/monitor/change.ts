import type { CheckType, JsonObject, MonitorCreate } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { duration, jsonObject, several, wholeNumber } from "../../io/options.ts";
import { printDone, say } from "../../io/print.ts";
import { withEnvironment } from "../../io/read-document.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { findMonitor, monitorIds } from "./find-monitor.ts";
import { heartbeatAddress } from "./heartbeat-address.ts";
import { CHECK_TYPES } from "./words.ts";

export interface TargetOptions {
  readonly type?: CheckType;
  readonly check: readonly JsonObject[];
}

interface Options extends TargetOptions {
  readonly interval?: number;
  readonly schedule?: string;
  readonly timezone?: string;
  readonly tag: readonly string[];
  readonly parent: readonly string[];
  readonly confirmDown?: number;
  readonly confirmUp?: number;
  readonly paused?: true;
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
    throw new UsageError("Give either --type or --check, which says the type as well");
  }
  if (type === undefined && check.length === 0) return {};
  const pipeline = type === undefined ? withEnvironment(check, "--check") : [{ type }];
  return { pipeline } as unknown as Pick<MonitorCreate, "pipeline">;
}

export function create(): Command {
  return withTargetOptions(
    leaf("create", "Watch a service")
      .argument("<name>")
      .argument("<url>", "https:// is put before an address without a scheme"),
  )
    .option(
      "--interval <time>",
      "how often it is checked, such as 30s; a minute unless given",
      duration,
    )
    .addOption(new Option("--schedule <cron>", "when it is checked").conflicts("interval"))
    .option("--timezone <zone>", "of the schedule, such as Europe/Paris")
    .option("--tag <tag>", "may be repeated", several, [])
    .option(
      "--parent <monitor>",
      "one that it cannot be reached without; may be repeated",
      several,
      [],
    )
    .option(
      "--confirm-down <count>",
      "so many results in a row until it counts as down",
      wholeNumber(1),
    )
    .option(
      "--confirm-up <count>",
      "so many results in a row until it counts as up again",
      wholeNumber(1),
    )
    .option("--paused", "it is not checked until it is resumed")
    .addHelpText(
      "after",
      examples(
        "monitor create Shop https://shop.example.com --interval 30s --tag prod",
        `monitor create Api https://api.example.com --check '{"type": "http", "expected_status": [200], "contains": ["ok"]}'`,
        "monitor create Backup https://backup.example.com --type heartbeat --interval 1d",
      ),
    )
    .action(async (name: string, url: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const { schedule, timezone, confirmDown, confirmUp } = options;
      const monitor = await session.uptime.monitors.create({
        name,
        url,
        ...pipelineOf(options),
        tags: [...options.tag],
        enabled: options.paused !== true,
        parents: await monitorIds(session, options.parent),
        ...(options.interval !== undefined && { interval: options.interval }),
        ...(schedule !== undefined && { schedule }),
        ...(timezone !== undefined && { timezone }),
        ...(confirmDown !== undefined && { confirm_down: confirmDown }),
        ...(confirmUp !== undefined && { confirm_up: confirmUp }),
      });
      printDone(session, `Created the monitor ${monitor.name} (${monitor.id})`, monitor);
      const heartbeat = heartbeatAddress(session, monitor);
      if (heartbeat !== null) say(`The job reports at ${heartbeat}`);
    });
}

export function switchTo(enabled: boolean): Command {
  const verb = enabled ? "resume" : "pause";
  return leaf(verb, enabled ? "Check a service again" : "Stop checking a service")
    .argument("<monitor...>", "names or ids")
    .addHelpText("after", examples(`monitor ${verb} Shop`))
    .action(async (names: readonly string[], _: unknown, command: Command) => {
      const session = sessionOf(command);
      const changed = [];
      for (const id of await monitorIds(session, names)) {
        changed.push(await session.uptime.monitors.update(id, { enabled }));
      }
      const text = changed.map(({ name }) => `${name} is ${enabled ? "checked again" : "paused"}`);
      printDone(session, text.join("\n"), changed.length === 1 ? changed[0] : changed);
    });
}

export function remove(): Command {
  return deleteCommand({
    about: "Delete a monitor with its history",
    argument: ["<monitor>", "its name or its id"],
    example: "monitor delete Shop",
    find: findMonitor,
    told: ({ name }) => `the monitor ${name} with its history`,
    remove: ({ uptime }, { id }) => uptime.monitors.delete(id),
  });
}
