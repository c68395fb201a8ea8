import "./run-logs.css";
import type { FlowRun, Log } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type JSX, useDeferredValue, useEffect, useRef, useState } from "react";
import { exactly } from "../../lib/time.ts";
import { Check, Input, Select } from "../../ui/form.tsx";
import { Card, Empty, Notice } from "../../ui/surface.tsx";
import { LogDownload } from "./log-download.tsx";
import { graphOf } from "./run-page-queries.ts";
import { useLogLines } from "./use-log-lines.ts";

const LEVELS = [
  ["0", "All levels"],
  ["20", "Info and above"],
  ["30", "Warnings and above"],
  ["40", "Errors"],
] as const;
const LINE_PX = 20;

const levelOf = (level: number): string =>
  level >= 50
    ? "CRITICAL"
    : level >= 40
      ? "ERROR"
      : level >= 30
        ? "WARN"
        : level >= 20
          ? "INFO"
          : "DEBUG";

/** The log of a run as it is written. */
export function RunLogs({
  run,
  taskRunId = "",
  onTask,
}: {
  readonly run: FlowRun;
  readonly taskRunId?: string | undefined;
  readonly onTask: (id: string | undefined) => void;
}): JSX.Element {
  const [level, setLevel] = useState<(typeof LEVELS)[number][0]>("0");
  const [text, setText] = useState("");
  const [isFollowing, setFollowing] = useState(true);
  const { lines, isCut, error } = useLogLines(run.id, { level: Number(level), task: taskRunId });
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown =
    wanted === "" ? lines : lines.filter(({ message }) => message.toLowerCase().includes(wanted));
  const tasks =
    useQuery(graphOf(run.id)).data?.nodes.map(([id, { label }]) => [id, label] as const) ?? [];
  return (
    <Card
      flush
      tools={
        <span className="row filters">
          <span className="search-box">
            <Input
              type="search"
              aria-label="Search in the log"
              placeholder="Search"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </span>
          <span className="filter">
            <Select aria-label="Level" options={LEVELS} value={level} onValue={setLevel} />
          </span>
          {tasks.length > 0 && (
            <span className="filter">
              <Select
                aria-label="Task"
                options={[["", "Every task"], ...tasks]}
                value={taskRunId}
                onValue={(id) => onTask(id === "" ? undefined : id)}
              />
            </span>
          )}
        </span>
      }
      actions={
        <>
          <Check
            label="Follow"
            checked={isFollowing}
            onChange={({ target }) => setFollowing(target.checked)}
          />
          <LogDownload runId={run.id} />
        </>
      }
    >
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      {isCut && <Notice>Only the newest lines are shown; the CSV has all of them.</Notice>}
      {shown.length === 0 ? (
        <Empty icon="artifact" title={lines.length === 0 ? "No lines yet" : "No line matches"}>
          <p>What the run writes to its log appears here at once.</p>
        </Empty>
      ) : (
        <Lines lines={shown} isFollowing={isFollowing} />
      )}
    </Card>
  );
}

function Lines({
  lines,
  isFollowing,
}: {
  readonly lines: readonly Log[];
  readonly isFollowing: boolean;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  useEffect(() => {
    if (isFollowing) rows.scrollToIndex(lines.length - 1, { align: "end" });
  }, [lines.length, isFollowing, rows]);
  return (
    <div className="logs" ref={box} tabIndex={0} role="log" aria-label="Log lines">
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const level = levelOf(line.level);
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="logs__line"
              data-level={level}
              style={{
                position: "absolute",
                top: 0,
                left: 0,
                right: 0,
                transform: `translateY(${start}px)`,
              }}
            >
              <time
                className="logs__time"
                dateTime={line.timestamp}
                title={exactly(line.timestamp)}
              >
                {new Date(line.timestamp).toLocaleTimeString()}
              </time>
              <span className="logs__level">{level}</span>
              <span>{line.message}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
