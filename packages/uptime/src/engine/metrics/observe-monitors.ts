// What `/metrics` tells of monitors: those that this process checks, so that replicas do not tell
// of the same. Whoever scrapes needs no credentials, so names and tags are told only where the
// settings say so, and addresses never.

import type { Metrics } from "@orchestrator/kernel/log";
import { parseMicros } from "@orchestrator/kernel/pure";
import type { EngineContext } from "../engine-context.ts";
import type { MonitorReading } from "../monitor-readings.ts";
import { countShare, listShare } from "./monitor-metrics.store.ts";

type Observed = Pick<EngineContext, "db" | "clock" | "log" | "settings" | "runs" | "readings">;

const IDS = ["monitor"] as const;
const NAMES = ["monitor", "name", "tags"] as const;
type Labels = Partial<Record<(typeof NAMES)[number], string>>;

interface Sample {
  readonly labels: Labels;
  readonly status: string | null;
  readonly lastCheck: string | null;
  readonly nextRun: string | null;
  readonly reading: MonitorReading | undefined;
}

const DAY_MICROS = 86_400_000_000;

export function observeMonitors(metrics: Metrics, ctx: Observed): void {
  const { settings, clock } = ctx;
  if (settings.metrics === "off") return;
  const labelNames = settings.metrics === "names" ? NAMES : IDS;
  const look = sharedLook(ctx);
  const secondsTo = (time: string): number => (parseMicros(time) - clock.nowMicros()) / 1e6;

  const gauge = (name: string, help: string, valueOf: (sample: Sample) => number | null): void => {
    metrics.gauge<keyof Labels>({
      name,
      help,
      labelNames,
      async collect() {
        const { samples } = await look();
        this.reset();
        for (const sample of samples) {
          const value = valueOf(sample);
          if (value !== null) this.set(sample.labels, value);
        }
      },
    });
  };

  metrics.gauge({
    name: "uptime_monitors",
    help: "Monitors that this process checks, also those beyond the number that is told of one by one",
    async collect() {
      this.set((await look()).count);
    },
  });
  gauge(
    "uptime_monitor_up",
    "Whether the last result says that the target can be used",
    ({ status }) => (status === null ? null : Number(status !== "down")),
  );
  gauge(
    "uptime_monitor_seconds_since_last_check",
    "How long ago the last check began",
    ({ lastCheck }) => (lastCheck === null ? null : Math.max(0, -secondsTo(lastCheck))),
  );
  gauge("uptime_monitor_lateness_seconds", "How long the next check is overdue", ({ nextRun }) =>
    nextRun === null ? null : Math.max(0, -secondsTo(nextRun)),
  );
  gauge("uptime_monitor_last_duration_seconds", "How long the last check took", ({ reading }) =>
    reading === undefined ? null : reading.elapsedMs / 1000,
  );
  gauge(
    "uptime_monitor_certificate_days_left",
    "Days until the first of the target's certificates ends",
    ({ reading }) => {
      const ends = reading?.certificateEnds ?? null;
      return ends === null ? null : (parseMicros(ends) - clock.nowMicros()) / DAY_MICROS;
    },
  );
  metrics.gauge<keyof Labels | "status">({
    name: "uptime_monitor_status",
    help: "1 for the status of the last result: up, degraded, down",
    labelNames: [...labelNames, "status"],
    async collect() {
      const { samples } = await look();
      this.reset();
      for (const { labels, status } of samples)
        if (status !== null) this.set({ ...labels, status }, 1);
    },
  });
  metrics.counter<keyof Labels | "status">({
    name: "uptime_monitor_checks_total",
    help: "Checks that this process has made, by their status",
    labelNames: [...labelNames, "status"],
    async collect() {
      const { samples } = await look();
      this.reset();
      for (const { labels, reading } of samples)
        for (const [status, count] of Object.entries(reading?.counts ?? {}))
          this.inc({ ...labels, status }, count);
    },
  });
}

interface Look {
  readonly count: number;
  readonly samples: readonly Sample[];
}

/**
 * All metrics of one scrape are of the same look: they ask before the first of them is answered.
 */
function sharedLook(ctx: Observed): () => Promise<Look> {
  let current: Promise<Look> | undefined;
  return () => {
    current ??= readShare(ctx)
      // A database that is away must not take the other metrics with it.
      .catch((error: unknown) => {
        ctx.log.warn({ err: error }, "The metrics of monitors cannot be read");
        return { count: 0, samples: [] };
      })
      .finally(() => {
        current = undefined;
      });
    return current;
  };
}

async function readShare({ db, settings, runs, readings }: Observed): Promise<Look> {
  const { holder } = runs;
  const limit = settings.metricsMonitors;
  const [rows, count] = await Promise.all([listShare(db, holder, limit), countShare(db, holder)]);
  if (count <= rows.length) readings.keepOnly(new Set(rows.map(({ id }) => id)));
  const samples = rows.map((row) => ({
    labels:
      settings.metrics === "names"
        ? { monitor: row.id, name: row.name, tags: tagsLabel(row.tags) }
        : { monitor: row.id },
    status: row.last_status,
    lastCheck: row.last_check,
    nextRun: row.next_run,
    reading: readings.find(row.id),
  }));
  return { count, samples };
}

/** With commas on both sides of each, so that `tags=~".*,web,.*"` finds one. */
function tagsLabel(json: string): string {
  const tags = JSON.parse(json) as readonly string[];
  return tags.length === 0 ? "" : `,${tags.toSorted().join(",")},`;
}
