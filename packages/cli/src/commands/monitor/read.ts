import type { Monitor, MonitorStatus } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { type Command, Option } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { several } from "../../io/options.ts";
import { printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { dim, stateText } from "../../output/style.ts";
import { formatDuration, timeAgo } from "../../output/time.ts";
import { findMonitor } from "./find-monitor.ts";
import { heartbeatAddress } from "./heartbeat-address.ts";
import { MONITOR_STATUS_CHOICES } from "./words.ts";

interface ListOptions {
  readonly tag: readonly string[];
  readonly status?: MonitorStatus;
  readonly paused?: true;
  readonly search?: string;
}

export function listMonitorsCommand(): Command {
  return leaf()
    .option(
      "--tag <tag>",
      "only those with this tag; given several times, with all of them",
      several,
      [],
    )
    .addOption(
      new Option("--status <status>", "only those that are so").choices(MONITOR_STATUS_CHOICES),
    )
    .option("--paused", "only those that are paused")
    .option("-s, --search <text>", "only those with this text in name or address")
    .addHelpText(
      "after",
      examples("monitor ls", "monitor ls --status down --json", "monitor ls --tag prod"),
    )
    .action(async ({ tag, status, paused, search }: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(
        session.uptime.monitors.each({
          ...(tag.length > 0 && { tag: [...tag] }),
          ...(status !== undefined && { status: [status] }),
          ...(paused && { enabled: false }),
          ...(search !== undefined && { q: search }),
        }),
      );
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Status", cell: statusOf },
          { title: "Address", cell: ({ url }) => url },
          { title: "Every", cell: rhythmOf },
          { title: "Tags", cell: ({ tags }) => tags.join(", ") },
          { title: "Checked", cell: ({ last_check }) => timeAgo(last_check) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no such monitors: `orchestrator monitor create NAME URL` makes one",
      });
    });
}

export function inspectMonitorCommand(): Command {
  return leaf()
    .argument("<monitor>", "its name or its id")
    .addHelpText("after", examples("monitor inspect Shop"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const monitor = await findMonitor(session, name);
      printOne(session, monitor, {
        Name: monitor.name,
        Address: monitor.url,
        Status: statusOf(monitor),
        Every: rhythmOf(monitor),
        Checks: monitor.pipeline.map((one) => writeJson(one)).join("\n") || "http",
        Tags: monitor.tags.join(", ") || null,
        Parents: monitor.parents.join(", ") || null,
        Confirm: `down after ${monitor.confirm_down}, up after ${monitor.confirm_up}`,
        Heartbeat: heartbeatAddress(session, monitor),
        "Last check": monitor.last_check,
        "Next check": monitor.next_check,
        Created: monitor.created_at,
        Id: monitor.id,
      });
    });
}

const statusOf = ({ enabled, last_status }: Monitor): string =>
  enabled ? stateText(last_status, last_status ?? "not checked yet") : dim("paused");

const rhythmOf = ({ schedule, interval, timezone }: Monitor): string =>
  schedule === null ? formatDuration(interval) : `${schedule} (${timezone})`;
