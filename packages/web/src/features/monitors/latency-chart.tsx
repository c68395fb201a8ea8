import "uplot/dist/uPlot.min.css";
import "./latency-chart.css";
import type { Incident, MonitorStats } from "@orchestrator/contract";
import { type JSX, useEffect, useRef } from "react";
import uPlot from "uplot";
import { useTheme } from "../../app/theme.ts";
import { type Band, bandsOf } from "./latency-bands.ts";

const HEIGHT = 240;
const BAND_ALPHA = "33";

/** The latencies over time, half and 95 % of them, with stretches of trouble and maintenance behind them. */
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
    const chart = new uPlot(optionsOf(box, bands), dataOf(stats), box);
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

function dataOf({ series }: MonitorStats): uPlot.AlignedData {
  return [
    series.map(({ from }) => Date.parse(from) / 1000),
    series.map(({ elapsed_ms }) => elapsed_ms.p50),
    series.map(({ elapsed_ms }) => elapsed_ms.p95),
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
      axis,
      { ...axis, size: 64, values: (_chart, ticks) => ticks.map((tick) => `${tick} ms`) },
    ],
    series: [
      {},
      {
        label: "Half within",
        stroke: colour("running"),
        width: 2,
        spanGaps: false,
        value: (_c, v) => ms(v),
      },
      {
        label: "95 % within",
        stroke: colour("pending"),
        width: 1.5,
        dash: [4, 3],
        value: (_c, v) => ms(v),
      },
    ],
    hooks: {
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

const COLOURS: Readonly<Record<Band["kind"], string>> = {
  down: "failed",
  degraded: "late",
  maintenance: "running",
};
