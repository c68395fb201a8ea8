import { errorText } from "../../lib/error-text.ts";
import "./run-timeline.css";
import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type JSX, useMemo, useRef } from "react";
import { navigate } from "../../app/location.ts";
import { stateWord } from "../../charts/states.ts";
import { lasting, shortly } from "../../lib/time.ts";
import { Icon } from "../../ui/icons.tsx";
import { Card, Empty, Notice, Skeleton } from "../../ui/surface.tsx";
import { graphOf } from "./run-page-queries.ts";
import { type TimelineRow, timelineOf } from "./timeline-rows.ts";

const ROW_PX = 30;
const TICKS = 4;

/** The task runs and subflows of a run as bars over time. Only those in sight are drawn, so thousands stay smooth. */
export function RunTimeline({
  run,
  onTask,
}: {
  readonly run: FlowRun;
  readonly onTask: (id: string) => void;
}): JSX.Element {
  const { data, error } = useQuery(graphOf(run.id));
  const timeline = useMemo(() => data && timelineOf(data, Date.now()), [data]);
  if (error) return <Notice kind="error">{errorText(error)}</Notice>;
  if (timeline === undefined) return <Skeleton lines={6} />;
  if (timeline.rows.length === 0)
    return (
      <Card>
        <Empty icon="runs" title="No task runs">
          <p>
            Tasks and subflows appear here as they run, each as a bar from its start to its end.
          </p>
        </Empty>
      </Card>
    );
  const pick = ({ node }: TimelineRow) =>
    node.kind === "flow-run" ? navigate(`/runs/${node.id}`) : onTask(node.id);
  return (
    <Card flush>
      <Rows rows={timeline.rows} start={timeline.start} seconds={timeline.seconds} onPick={pick} />
    </Card>
  );
}

function Rows({
  rows,
  start,
  seconds,
  onPick,
}: {
  readonly rows: readonly TimelineRow[];
  readonly start: number;
  readonly seconds: number;
  readonly onPick: (row: TimelineRow) => void;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const shown = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  return (
    <div
      className="timeline"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={`${rows.length} task runs and subflows`}
    >
      <div className="timeline__axis">
        <span>{shortly(start)}</span>
        <span className="timeline__ticks num">
          {Array.from({ length: TICKS + 1 }, (_, i) => (
            <span key={i}>{lasting((seconds * i) / TICKS)}</span>
          ))}
        </span>
        <span />
      </div>
      <div style={{ height: shown.getTotalSize(), position: "relative" }}>
        {shown.getVirtualItems().map(({ index, key, start: top }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div key={key} style={{ position: "absolute", top, left: 0, right: 0 }}>
              <Row row={row} onPick={onPick} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Row({
  row,
  onPick,
}: {
  readonly row: TimelineRow;
  readonly onPick: (row: TimelineRow) => void;
}): JSX.Element {
  const { node, depth, left, width, seconds } = row;
  return (
    <button
      type="button"
      className="timeline__row"
      title={`${node.label}: ${stateWord(node.state_type)}, ${lasting(seconds)}`}
      onClick={() => onPick(row)}
    >
      <span className="timeline__label" style={{ paddingLeft: Math.min(depth, 6) * 12 }}>
        <Icon name={node.kind === "flow-run" ? "flow" : "dots"} size={13} />
        <span>{node.label}</span>
        <span className="visually-hidden">{stateWord(node.state_type)}</span>
      </span>
      <span className="timeline__track">
        <span
          className="timeline__bar"
          data-state={node.state_type}
          style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
        />
      </span>
      <span className="num soft">{lasting(seconds)}</span>
    </button>
  );
}
