import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { parseDuration, parseWholeNumber, several } from "../../io/options.ts";
import { printDone, say } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import { findMonitor, monitorIds } from "./find-monitor.ts";
import { heartbeatAddress } from "./heartbeat-address.ts";
import { type MonitorTargetOptions, pipelineOf, withTargetOptions } from "./target-options.ts";

interface FieldOptions extends MonitorTargetOptions {
  readonly interval?: number;
  readonly schedule?: string;
  readonly timezone?: string;
  readonly tag: readonly string[];
  readonly parent: readonly string[];
  readonly confirmDown?: number;
  readonly confirmUp?: number;
}

const withFields = (command: Command): Command =>
  withTargetOptions(command)
    .option("--interval <time>", "how often it is checked, such as 30s", parseDuration)
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
      parseWholeNumber(1),
    )
    .option(
      "--confirm-up <count>",
      "so many results in a row until it counts as up again",
      parseWholeNumber(1),
    );

async function fieldsOf(session: CliSession, options: FieldOptions) {
  const { interval, schedule, timezone, tag, parent, confirmDown, confirmUp } = options;
  return {
    ...pipelineOf(options),
    ...(tag.length > 0 && { tags: [...tag] }),
    ...(parent.length > 0 && { parents: await monitorIds(session, parent) }),
    ...(interval !== undefined && { interval }),
    ...(schedule !== undefined && { schedule }),
    ...(timezone !== undefined && { timezone }),
    ...(confirmDown !== undefined && { confirm_down: confirmDown }),
    ...(confirmUp !== undefined && { confirm_up: confirmUp }),
  };
}

interface CreateOptions extends FieldOptions {
  readonly paused?: true;
}

export function createMonitorCommand(): Command {
  return withFields(
    leaf()
      .argument("<name>")
      .argument("<url>", "https:// is put before an address without a scheme"),
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
    .action(async (name: string, url: string, options: CreateOptions, command: Command) => {
      const session = sessionOf(command);
      const monitor = await session.uptime.monitors.create({
        name,
        url,
        ...(await fieldsOf(session, options)),
        enabled: options.paused !== true,
      });
      printDone(session, `Created the monitor ${monitor.name} (${monitor.id})`, monitor);
      const heartbeat = heartbeatAddress(session, monitor);
      if (heartbeat !== null) say(`The job reports at ${heartbeat}`);
    });
}

interface UpdateOptions extends FieldOptions {
  readonly name?: string;
  readonly url?: string;
  readonly clearTags?: true;
  readonly clearParents?: true;
}

export function updateMonitorCommand(): Command {
  return withFields(leaf().argument("<monitor>", "its name or its id"))
    .option("--name <name>", "another name")
    .option("--url <url>", "another address")
    .addOption(new Option("--clear-tags", "take all tags away").conflicts("tag"))
    .addOption(new Option("--clear-parents", "it depends on no other any more").conflicts("parent"))
    .addHelpText(
      "after",
      examples(
        "monitor update Shop --interval 30s --tag prod --tag eu",
        "monitor update Shop --url https://shop.example.com/health --confirm-down 3",
      ),
    )
    .action(async (which: string, options: UpdateOptions, command: Command) => {
      const session = sessionOf(command);
      const { name, url, clearTags, clearParents } = options;
      const { id } = await findMonitor(session, which);
      const changes = {
        ...(await fieldsOf(session, options)),
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(clearTags && { tags: [] }),
        ...(clearParents && { parents: [] }),
        // One that is checked every so often has no schedule any more.
        ...(options.interval !== undefined && { schedule: null }),
      };
      if (Object.keys(changes).length === 0)
        throw new MisuseError("Say what is to change, such as --interval 30s");
      const monitor = await session.uptime.monitors.update(id, changes);
      printDone(session, `Changed the monitor ${monitor.name}`, monitor);
    });
}

export function switchMonitorCommand(enabled: boolean): Command {
  const verb = enabled ? "resume" : "pause";
  return leaf()
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

export function deleteMonitorCommand(): Command {
  return deleteCommand({
    argument: ["<monitor>", "its name or its id"],
    example: "monitor delete Shop",
    find: findMonitor,
    describe: ({ name }) => `the monitor ${name} with its history`,
    deleteRow: ({ uptime }, { id }) => uptime.monitors.delete(id),
  });
}
