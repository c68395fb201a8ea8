import "uplot/dist/uPlot.min.css";
import "./latency-chart.css";
import type { Incident, MonitorStats } from "@orchestrator/contract";
import { type JSX, useEffect, useRef } from "react";
import uPlot from "uplot";
import { shortly } from "../../lib/time.ts";
import { useTheme } from "../../ui/theme.ts";
import { type Band, bandsOf } from "./latency-bands.ts";
import { latencyPoints } from "./latency-points.ts";

const HEIGHT = 240;
const BAND_ALPHA = "33";
const PX_OF_POINT = 5;

/**
 * The latencies over time, half and 95 % of them, with stretches of trouble and maintenance behind
 * them.
 */
export function LatencyChart({
  stats,
  incidents,
}: {
  readonly stats: MonitorStats;
  readonly incidents: readonly Incident[];
}): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  const [theme] = useTheme();
  const bands = bandsOf(stats, incidents);
  useEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const chart = new uPlot(optionsOf(box, bands), dataOf(stats, box), box);
    const watcher = new ResizeObserver(() =>
      chart.setSize({ width: Math.max(200, box.clientWidth), height: HEIGHT }),
    );
    watcher.observe(box);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
    // The theme changes the colours that are read from the page; bands follow from the rest.
  }, [stats, incidents, theme]);
  const kinds = [...new Set(bands.map(({ kind }) => kind))];
  return (
    <figure className="stack-tight">
      <div ref={ref} className="latency" aria-hidden="true" />
      {kinds.length > 0 && (
        <figcaption className="latency__bands">
          {kinds.map((kind) => (
            <span key={kind} data-state={kind}>
              <i />
              {kind}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

function dataOf({ series }: MonitorStats, box: HTMLElement): uPlot.AlignedData {
  const points = latencyPoints(series, Math.max(200, box.clientWidth) / PX_OF_POINT);
  return [
    points.map(({ at }) => at),
    points.map(({ half }) => half),
    points.map(({ most }) => most),
  ];
}

function optionsOf(box: HTMLElement, bands: readonly Band[]): uPlot.Options {
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string) => styles.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour("ink-soft"),
    grid: { stroke: colour("line"), width: 1 },
    ticks: { stroke: colour("line"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
  const ms = (value: number | null) => (value === null ? "–" : `${Math.round(value * 10) / 10} ms`);
  return {
    width: Math.max(200, box.clientWidth),
    height: HEIGHT,
    cursor: { y: false },
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [
      { ...axis, values: (_chart, ticks) => ticks.map(tickWords(ticks)) },
      { ...axis, size: 64, values: (_chart, ticks) => ticks.map((tick) => `${tick} ms`) },
    ],
    series: [
      { label: "At", value: (_c, v) => (v === null ? "–" : shortly(v * 1000)) },
      {
        label: "p50",
        stroke: colour("running"),
        width: 2,
        spanGaps: false,
        points: { show: true, size: 6, filter: lonely },
        value: (_c, v) => ms(v),
      },
      {
        label: "p95",
        stroke: colour("pending"),
        width: 1.5,
        dash: [4, 3],
        value: (_c, v) => ms(v),
      },
    ],
    hooks: {
      // Where nobody points the legend tells of the newest.
      ready: [showNewest],
      setCursor: [showNewest],
      drawClear: [
        (chart) => {
          const { ctx, bbox } = chart;
          for (const { kind, from, until } of bands) {
            const left = Math.max(bbox.left, chart.valToPos(from, "x", true));
            const right = Math.min(bbox.left + bbox.width, chart.valToPos(until, "x", true));
            if (right <= left) continue;
            ctx.fillStyle = `${colour(COLOURS[kind])}${BAND_ALPHA}`;
            ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
          }
        },
      ],
    },
  };
}

function showNewest(chart: uPlot): void {
  const [, half = []] = chart.data;
  let idx = half.length - 1;
  while (idx > 0 && half[idx] == null) idx -= 1;
  if (half[idx] == null) idx = half.length - 1;
  if (chart.cursor.idx == null) chart.setLegend({ idx }, false);
}

/** What has no neighbour has no line to either side: it is drawn as a point. */
const lonely: uPlot.Series.Points.Filter = (chart, series) => {
  const values = [...(chart.data[series] ?? [])];
  return values.flatMap((value, i) =>
    value != null && values[i - 1] == null && values[i + 1] == null ? [i] : [],
  );
};

const DAY_S = 86_400;
const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const calendar = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** The time of day, and the date where a day begins. */
const tickWords =
  ([first = 0, second = first]: readonly number[]) =>
  (tick: number): string => {
    const date = new Date(tick * 1000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    return (second - first >= DAY_S || isMidnight ? calendar : clock).format(date);
  };

const COLOURS: Readonly<Record<Band["kind"], string>> = {
  down: "failed",
  degraded: "late",
  maintenance: "running",
};
