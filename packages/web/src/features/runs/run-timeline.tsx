import { errorText } from "../../lib/error-text.ts";
import "./run-timeline.css";
import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type JSX, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { stateWord } from "../../charts/states.ts";
import { durationLabel, shortly } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { navigate } from "../../navigation/location.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { iconShapeOf } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox, Skeleton } from "../../ui/surface.tsx";
import { graphOf } from "./run-page-queries.ts";
import { type TimelineRow, timelineOf } from "./timeline-rows.ts";
import { around, moved, type TimelineView, WHOLE, zoomed } from "./timeline-view.ts";

const ROW_PX = 30;
const TICKS = 4;
const CLOSER = 0.5;
const WIDER = 2;

/**
 * The task runs and subflows of a run as bars over time. Only those in sight are drawn, so
 * thousands stay smooth.
 */
export function RunTimeline({
  run,
  onTask,
}: {
  readonly run: FlowRun;
  readonly onTask: (id: string) => void;
}): JSX.Element {
  const { data, error } = useQuery(graphOf(run.id));
  const timeline = useMemo(() => data && timelineOf(data, Date.now()), [data]);
  const problem = error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>;
  if (timeline === undefined) return problem ?? <Skeleton lines={6} />;
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
    <>
      {problem}
      <Card flush>
        <Rows
          rows={timeline.rows}
          start={timeline.start}
          seconds={timeline.seconds}
          onPick={pick}
        />
      </Card>
    </>
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
  const [view, setView] = useState(WHOLE);
  useZoomingWheel(box, setView);
  const inSight = () => {
    const { startIndex = 0, endIndex = 0 } = shown.range ?? {};
    return rows.slice(startIndex, endIndex + 1);
  };
  const length = view.to - view.from;
  return (
    <>
      <div className="timeline__tools">
        <span className="soft num">
          {counted(rows.length, "task run or subflow", "task runs and subflows")}
        </span>
        <span className="row">
          <IconButton
            small
            icon="left"
            label="Earlier"
            onClick={() => setView(moved(view, -0.5))}
          />
          <IconButton small icon="right" label="Later" onClick={() => setView(moved(view, 0.5))} />
          <IconButton
            small
            icon="plus"
            label="Zoom in"
            onClick={() => setView(zoomed(view, CLOSER))}
          />
          <IconButton
            small
            icon="minus"
            label="Zoom out"
            onClick={() => setView(zoomed(view, WIDER))}
          />
          <Button small onClick={() => setView(around(inSight()))}>
            Fit visible rows
          </Button>
          <Button small disabled={length === 1} onClick={() => setView(WHOLE)}>
            Whole run
          </Button>
        </span>
      </div>
      <div
        className="timeline"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={`${rows.length} task runs and subflows`}
      >
        <div className="timeline__axis">
          <span>{shortly(start + view.from * seconds * 1000)}</span>
          <span className="timeline__ticks num">
            {Array.from({ length: TICKS + 1 }, (_, i) => (
              <span key={i}>{durationLabel(seconds * (view.from + (length * i) / TICKS))}</span>
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
                <Row row={row} view={view} onPick={onPick} />
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

/** With the control key, as maps do it; a plain wheel scrolls the rows. */
function useZoomingWheel(
  box: RefObject<HTMLDivElement | null>,
  setView: (change: (view: TimelineView) => TimelineView) => void,
): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const track = element.querySelector(".timeline__ticks")?.getBoundingClientRect();
      const share = track ? (event.clientX - track.left) / track.width : 0.5;
      const at = Math.min(1, Math.max(0, share));
      setView((view) => zoomed(view, Math.exp(event.deltaY / 300), at));
    };
    // The page itself would be zoomed if the listener were a passive one.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [box, setView]);
}

function Row({
  row,
  view,
  onPick,
}: {
  readonly row: TimelineRow;
  readonly view: TimelineView;
  readonly onPick: (row: TimelineRow) => void;
}): JSX.Element {
  const { node, depth, seconds } = row;
  const length = view.to - view.from;
  const [left, width] = [(row.left - view.from) / length, row.width / length];
  return (
    <button
      type="button"
      className="timeline__row"
      title={`${node.label}: ${stateWord(node.state_type)}, ${durationLabel(seconds)}`}
      onClick={() => onPick(row)}
    >
      <span className="timeline__label" style={{ paddingLeft: Math.min(depth, 6) * 12 }}>
        <span className="timeline__state" data-state={node.state_type ?? "none"}>
          <Icon name={iconShapeOf(node.state_type ?? "none")} size={13} />
        </span>
        {node.kind === "flow-run" && <Icon name="flow" size={13} />}
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
      <span className="num soft">{durationLabel(seconds)}</span>
    </button>
  );
}
