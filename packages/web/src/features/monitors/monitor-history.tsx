import "./monitor-history.css";
import type { Incident, MonitorOverview, MonitorStats } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, lazy, Suspense } from "react";
import { errorText } from "../../lib/error-text.ts";
import { durationLabel } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { Segments } from "../../ui/form.tsx";
import { Card, Empty, NoticeBox, Skeleton } from "../../ui/surface.tsx";
import { msText, roundedPercentText, UPTIME_HINT } from "./monitor-words.ts";
import { INCIDENTS, RANGES, statsOf } from "./result-queries.ts";

const LatencyChart = lazy(async () => ({
  default: (await import("./latency-chart.tsx")).LatencyChart,
}));

const RANGE_WORDS = Object.keys(RANGES).map(
  (range) => [range, range.replace(/(\d+)/, "$1 ")] as const,
);
const TILES = ["24h", "7d", "30d", "90d"] as const;

/** Uptime of the usual ranges, and the latencies of the one that is chosen. */
export function MonitorHistory({
  monitor,
  incidents,
  range = "24h",
  onRange,
}: {
  readonly monitor: MonitorOverview;
  readonly incidents: readonly Incident[];
  readonly range: string | undefined;
  readonly onRange: (range: string) => void;
}): JSX.Element {
  const { data, error } = useQuery(statsOf(monitor.id, range, monitor.last_check));
  return (
    <>
      <div className="tiles">
        {TILES.map((length) => (
          <div key={length} className="tile" title={UPTIME_HINT}>
            <span className="soft">Uptime {length.replace(/(\d+)/, "$1 ")}</span>
            <span className="tile__value num">{roundedPercentText(data?.uptime[length], 3)}</span>
            <span className="faint num">{downIn(data, length)}</span>
            <span className="faint num">{incidentsIn(incidents, length)}</span>
          </div>
        ))}
        <div className="tile">
          <span className="soft">Latency {range.replace(/(\d+)/, "$1 ")}</span>
          <span className="tile__value num">{msText(data?.elapsed_ms.p50)}</span>
          <span className="faint num">
            {data?.elapsed_ms.p95 == null ? "no data" : `p95 ${msText(data.elapsed_ms.p95)}`}
          </span>
        </div>
      </div>
      <Card
        title="Latency"
        actions={<Segments label="Time" options={RANGE_WORDS} value={range} onValue={onRange} />}
      >
        {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
        {data === undefined && <Skeleton lines={6} />}
        {data && data.checks === 0 && (
          <Empty icon="monitor" title="No checks in this time range">
            <p>Try a longer time range.</p>
          </Empty>
        )}
        {data && data.checks > 0 && data.elapsed_ms.p50 === null && (
          <Empty icon="monitor" title="No latency data">
            <p>{inWords(data)}</p>
          </Empty>
        )}
        {data && data.elapsed_ms.p50 !== null && (
          <Suspense fallback={<div style={{ height: 240 }} aria-busy="true" />}>
            <LatencyChart stats={data} incidents={incidents} />
            <p className="soft" style={{ marginTop: 8 }}>
              {inWords(data)}
            </p>
          </Suspense>
        )}
      </Card>
    </>
  );
}

/** How long it was down; a time of which nothing is known is not one in which it was up. */
function downIn(stats: MonitorStats | undefined, range: (typeof TILES)[number]): string {
  if (stats === undefined || stats.uptime[range] === null) return "no data";
  const seconds = Math.ceil(stats.downtime_seconds[range]);
  return seconds === 0 ? "never down" : `down for ${durationLabel(seconds)}`;
}

/**
 * How many began or were still open in the time; of more than are known only that there are many.
 */
function incidentsIn(incidents: readonly Incident[], range: string): string {
  const since = Date.now() - (RANGES[range]?.seconds ?? 0) * 1000;
  const within = incidents.filter(
    ({ ended_at }) => ended_at === null || Date.parse(ended_at) > since,
  );
  if (within.length >= INCIDENTS) return `over ${INCIDENTS} incidents`;
  return within.length === 0 ? "no incidents" : counted(within.length, "incident");
}

/** What the chart shows, for who cannot see it and who wants numbers. */
function inWords(stats: MonitorStats): string {
  const { elapsed_ms: ms, checks, incidents, down_seconds, degraded_seconds } = stats;
  const parts = [
    counted(checks, "check"),
    ...(ms.p50 === null
      ? []
      : [`p50 ${msText(ms.p50)}, p95 ${msText(ms.p95)}, max ${msText(ms.max)}`]),
    ...(stats.uptime_percent === null
      ? []
      : [`uptime ${roundedPercentText(stats.uptime_percent, 3)}`]),
    ...(down_seconds > 0 ? [`down for ${durationLabel(down_seconds)}`] : []),
    ...(degraded_seconds > 0 ? [`degraded for ${durationLabel(degraded_seconds)}`] : []),
    counted(incidents, "incident"),
    ...(stats.maintenance > 0 ? [`${counted(stats.maintenance, "check")} during maintenance`] : []),
  ];
  return `${parts.join(", ")}.`;
}
