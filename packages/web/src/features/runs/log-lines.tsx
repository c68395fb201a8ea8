import "./run-logs.css";
import type { Log } from "@orchestrator/contract";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type JSX, useEffect, useRef } from "react";
import { exactly, isToday, shortTimeLabel } from "../../lib/time.ts";

const LINE_PX = 20;
/** A reader who is so near to the end reads the end. */
const NEAR_PX = 4;

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

/**
 * Lines of which only those in sight are drawn. Scrolling up stops following, for who reads is not
 * to be pulled away; the end resumes it.
 */
export function LogLines({
  lines,
  tasks,
  isFollowing,
  onFollowing,
  onTask,
}: {
  readonly lines: readonly Log[];
  /** The names of those that wrote lines; undefined where all are of one. */
  readonly tasks: ReadonlyMap<string, string> | undefined;
  readonly isFollowing: boolean;
  readonly onFollowing: (isFollowing: boolean) => void;
  readonly onTask: (id: string) => void;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [first] = lines;
  const before = useRef(0);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
    getItemKey: (index) => lines[index]?.id ?? index,
  });
  useEffect(() => {
    if (isFollowing) rows.scrollToIndex(lines.length - 1, { align: "end" });
  }, [lines, isFollowing, rows]);
  const noticeScroll = ({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement) => {
    const isUp = scrollTop < before.current;
    const isDown = scrollTop > before.current;
    before.current = scrollTop;
    const isEnd = scrollHeight - scrollTop - clientHeight <= NEAR_PX;
    if (isDown && isEnd && !isFollowing) onFollowing(true);
    if (isUp && !isEnd && isFollowing) onFollowing(false);
  };
  return (
    <div
      className="logs"
      ref={box}
      tabIndex={0}
      role="log"
      aria-label="Log lines"
      // They are in the order of time: where the first is of today, all are, and nobody need be
      // told the day.
      data-dated={first !== undefined && !isToday(first.timestamp)}
      data-tasks={tasks !== undefined && tasks.size > 0}
      onScroll={({ currentTarget }) => noticeScroll(currentTarget)}
    >
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              style={{
                position: "absolute",
                top: 0,
                left: 0,
                right: 0,
                transform: `translateY(${start}px)`,
              }}
            >
              <Line line={line} task={tasks?.get(line.task_run_id ?? "")} onTask={onTask} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Line({
  line: { level, timestamp, message, task_run_id },
  task,
  onTask,
}: {
  readonly line: Log;
  readonly task: string | undefined;
  readonly onTask: (id: string) => void;
}): JSX.Element {
  return (
    <div className="logs__line" data-level={levelOf(level)}>
      <time className="logs__time" dateTime={timestamp} title={exactly(timestamp)}>
        {shortTimeLabel(timestamp)}
      </time>
      <span className="logs__level">{levelOf(level)}</span>
      <span className="logs__task">
        {task !== undefined && task_run_id !== null && (
          <button type="button" title={`Only ${task}`} onClick={() => onTask(task_run_id)}>
            {task}
          </button>
        )}
      </span>
      <span className="logs__message">{message}</span>
    </div>
  );
}
