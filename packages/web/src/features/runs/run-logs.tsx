import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, useDeferredValue, useMemo, useState } from "react";
import { CheckboxField, Input, Select } from "../../ui/form.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { LogDownloadButton } from "./log-download.tsx";
import { LogLines } from "./log-lines.tsx";
import { RerunButton } from "./rerun-dialog.tsx";
import { graphOf } from "./run-page-queries.ts";
import { useLogLines } from "./use-log-lines.ts";

const LEVELS = [
  ["0", "All levels"],
  ["20", "Info and above"],
  ["30", "Warnings and above"],
  ["40", "Errors"],
] as const;

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
  const filter = { level: Number(level), task: taskRunId };
  const { lines, isCut, error } = useLogLines(run.id, filter, isFollowing);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown =
    wanted === "" ? lines : lines.filter(({ message }) => message.toLowerCase().includes(wanted));
  // Only where a task has written something is there one to choose.
  const hasTasks = useMemo(() => lines.some(({ task_run_id }) => task_run_id !== null), [lines]);
  const graph = useQuery({ ...graphOf(run.id), enabled: hasTasks || taskRunId !== "" });
  const nodes = graph.data?.nodes;
  const tasks = useMemo(() => nodes?.map(([id, { label }]) => [id, label] as const) ?? [], [nodes]);
  const task = nodes?.find(([id, { kind }]) => id === taskRunId && kind === "task-run");
  const names = useMemo(() => new Map(tasks), [tasks]);
  return (
    <Card
      flush
      tools={
        <span className="row filters">
          <span className="search-box">
            <Input
              type="search"
              aria-label="Search logs"
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
                options={[["", "All tasks"], ...tasks]}
                value={taskRunId}
                onValue={(id) => onTask(id === "" ? undefined : id)}
              />
            </span>
          )}
        </span>
      }
      actions={
        <>
          <CheckboxField
            label="Follow"
            checked={isFollowing}
            onChange={({ target }) => setFollowing(target.checked)}
          />
          {task && <RerunButton run={run} task={{ id: task[0], label: task[1].label }} />}
          <LogDownloadButton runId={run.id} />
        </>
      }
    >
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
      {isCut && <NoticeBox>Only the latest lines are shown; the CSV has all lines.</NoticeBox>}
      {shown.length === 0 ? (
        <Empty
          icon="artifact"
          title={lines.length === 0 ? "No log lines yet" : "No matching log lines"}
        >
          <p>Log lines of the run appear here as they are written.</p>
        </Empty>
      ) : (
        <LogLines
          lines={shown}
          tasks={taskRunId === "" ? names : undefined}
          isFollowing={isFollowing}
          onFollowing={setFollowing}
          onTask={onTask}
        />
      )}
    </Card>
  );
}
