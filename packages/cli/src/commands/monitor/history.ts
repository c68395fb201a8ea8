import type { Incident, MonitorStats, MonitorStatus } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { parseDuration, parseWholeNumber } from "../../io/options.ts";
import { printDone, printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { stateText } from "../../output/style.ts";
import { formatDuration, timeAgo, toWholeSeconds } from "../../output/time.ts";
import { findMonitor } from "./find-monitor.ts";
import { MONITOR_STATUS_CHOICES } from "./words.ts";

const MOST = 20;

interface SpanOptions {
  readonly since?: number;
  readonly limit: number;
}

const spanOf = ({ since }: { readonly since?: number }) =>
  since === undefined ? {} : { since: new Date(Date.now() - since * 1000).toISOString() };

export function listResultsCommand(): Command {
  return leaf()
    .argument("<monitor>", "its name or its id")
    .option("--since <time>", "from so long ago on, such as 1d", parseDuration)
    .addOption(new Option("--status <status>", "only these").choices(MONITOR_STATUS_CHOICES))
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText(
      "after",
      examples("monitor results Shop", "monitor results Shop --status down --since 1w --json"),
    )
    .action(
      async (
        name: string,
        options: SpanOptions & { readonly status?: MonitorStatus },
        command: Command,
      ) => {
        const session = sessionOf(command);
        const { id } = await findMonitor(session, name);
        const rows = await collect(
          session.uptime.results.each(id, {
            ...spanOf(options),
            ...(options.status !== undefined && { status: [options.status] }),
            limit: options.limit,
          }),
        );
        printRows(session, rows, {
          columns: [
            { title: "Checked", cell: ({ checked_at }) => toWholeSeconds(checked_at) },
            { title: "Status", cell: ({ status }) => stateText(status) },
            {
              title: "Took",
              cell: ({ elapsed_ms }) => formatDuration(elapsed_ms / 1000),
              right: true,
            },
            { title: "Message", cell: ({ message }) => message },
          ],
          none: "There are no such results: `orchestrator monitor check` makes one",
        });
      },
    );
}

interface IncidentOptions extends SpanOptions {
  readonly open?: true;
}

export function listIncidentsCommand(): Command {
  return leaf()
    .argument("[monitor]", "its name or its id; all unless given")
    .option("--open", "only those that last")
    .option("--since <time>", "begun from so long ago on, such as 1w", parseDuration)
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText(
      "after",
      examples("monitor incidents --open", "monitor incidents Shop --since 30d"),
    )
    .action(async (name: string | undefined, options: IncidentOptions, command: Command) => {
      const session = sessionOf(command);
      const query = {
        ...spanOf(options),
        ...(options.open && { open: true }),
        limit: options.limit,
      };
      const { incidents: all } = session.uptime;
      const found =
        name === undefined
          ? all.each(query)
          : all.eachOfMonitor((await findMonitor(session, name)).id, query);
      const rows = await collect(found);
      const names = session.json || rows.length === 0 ? new Map() : await monitorNames(session);
      printRows(session, rows, {
        columns: [
          { title: "Monitor", cell: ({ monitor_id }) => names.get(monitor_id) ?? monitor_id },
          { title: "Status", cell: ({ status }) => stateText(status) },
          { title: "Began", cell: ({ started_at }) => timeAgo(started_at) },
          { title: "Lasted", cell: lastedOf },
          { title: "Cause", cell: ({ cause }) => cause },
          { title: "Seen by", cell: ({ acknowledged_by }) => acknowledged_by },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no such incidents",
      });
    });
}

const monitorNames = async ({ uptime }: CliSession): Promise<Map<string, string>> =>
  new Map((await collect(uptime.monitors.each())).map(({ id, name }) => [id, name]));

const lastedOf = ({ duration_seconds, ended_at }: Incident): string =>
  ended_at === null ? "still" : formatDuration(duration_seconds ?? 0);

export function acknowledgeIncidentCommand(): Command {
  return leaf()
    .argument("<incident>", "its id, as `monitor incidents` shows it")
    .option("--note <text>", "what others should know")
    .addHelpText("after", examples("monitor acknowledge 01a1de79-… --note 'the disk is full'"))
    .action(async (id: string, { note }: { readonly note?: string }, command: Command) => {
      const session = sessionOf(command);
      const incident = await session.uptime.incidents.acknowledge(
        id,
        note === undefined ? {} : { note },
      );
      printDone(session, `Acknowledged the incident of ${incident.started_at}`, incident);
    });
}

export function monitorStatsCommand(): Command {
  return leaf()
    .argument("<monitor>", "its name or its id")
    .option("--since <time>", "from so long ago on; a day unless given", parseDuration)
    .addHelpText("after", examples("monitor stats Shop", "monitor stats Shop --since 30d --json"))
    .action(async (name: string, options: { readonly since?: number }, command: Command) => {
      const session = sessionOf(command);
      const monitor = await findMonitor(session, name);
      const figures = await session.uptime.monitors.stats(monitor.id, spanOf(options));
      printOne(session, figures, {
        Monitor: monitor.name,
        From: figures.from,
        Until: figures.until,
        Uptime: percent(figures.uptime_percent),
        "Last 24 hours": percent(figures.uptime["24h"]),
        "Last 7 days": percent(figures.uptime["7d"]),
        "Last 30 days": percent(figures.uptime["30d"]),
        "Last 90 days": percent(figures.uptime["90d"]),
        Checks: `${figures.checks}: ${figures.up} up, ${figures.degraded} degraded, ${figures.down} down`,
        Incidents: figures.incidents,
        "Response time": latencyOf(figures),
      });
    });
}

const percent = (value: number | null): string | null =>
  value === null ? null : `${value.toFixed(value === 100 ? 0 : 3)} %`;

function latencyOf({ elapsed_ms: { p50, p95, p99, max } }: MonitorStats): string | null {
  if (p50 === null) return null;
  const ms = (value: number | null): string =>
    value === null ? "–" : formatDuration(value / 1000);
  return `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}, at most ${ms(max)}`;
}
