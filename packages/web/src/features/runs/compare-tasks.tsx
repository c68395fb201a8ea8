import type { FlowRun, FlowRunGraph } from "@orchestrator/contract";
import { type JSX, useMemo, useState } from "react";
import { stateWord } from "../../charts/states.ts";
import { durationLabel } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { iconShapeOf } from "../../ui/state.tsx";
import { Card, Empty } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Difference, RunTitle } from "./compare-parts.tsx";
import { paired, type RunPair } from "./side-by-side.ts";
import { timelineOf } from "./timeline-rows.ts";

const AT_ONCE = 100;

const ORDERS = [
  ["begun", "By start time"],
  ["differs", "Largest difference"],
] as const;
type Order = (typeof ORDERS)[number][0];

interface Task {
  readonly id: string;
  readonly label: string;
  readonly state_type: string;
  readonly seconds: number;
}

/** The tasks and subflows of two runs by name, and how long each took. */
export function CompareTasks({
  runs: [a, b],
  graphs: [ofA, ofB],
}: {
  readonly runs: readonly [FlowRun, FlowRun];
  readonly graphs: readonly [FlowRunGraph, FlowRunGraph];
}): JSX.Element {
  const [order, setOrder] = useState<Order>("begun");
  const [shown, setShown] = useState(AT_ONCE);
  const pairs = useMemo(() => paired(tasksOf(ofA), tasksOf(ofB)), [ofA, ofB]);
  const rows =
    order === "begun" ? pairs : pairs.toSorted((one, other) => weightOf(other) - weightOf(one));
  const left = rows.length - shown;
  return (
    <Card
      flush
      title="Task runs"
      actions={
        pairs.length > 1 && (
          <Segments label="Order" options={ORDERS} value={order} onValue={setOrder} />
        )
      }
    >
      <Table
        label="Task runs"
        rows={rows.slice(0, shown)}
        keyOf={([one, other]) => `${one?.id} ${other?.id}`}
        empty={
          <Empty icon="runs" title="No task runs">
            <p>Tasks and subflows are compared here as soon as they start.</p>
          </Empty>
        }
        columns={[
          { title: "Task", look: "fill", cell: (pair) => <Name pair={pair} /> },
          { title: <RunTitle run={a} />, cell: ([one]) => <Took task={one} /> },
          {
            title: <RunTitle run={b} />,
            cell: ([one, other]) => (
              <>
                <Took task={other} />
                {one && other && (
                  <span className="narrow-only faint">
                    <Difference a={one.seconds} b={other.seconds} />
                  </span>
                )}
              </>
            ),
          },
          {
            title: "Difference",
            look: "wide end",
            cell: ([one, other]) => <Difference a={one?.seconds} b={other?.seconds} />,
          },
        ]}
      />
      {left > 0 && (
        <div className="row" style={{ padding: "10px 16px" }}>
          <Button small onClick={() => setShown(shown + AT_ONCE)}>
            Show more
          </Button>
          <span className="faint">{counted(left, "more task", "more tasks")}</span>
        </div>
      )}
    </Card>
  );
}

/** Where chance is part of the names, the second one's is told as well. */
function Name({ pair: [one, other] }: { readonly pair: RunPair<Task> }): JSX.Element {
  const [first, second] = [one?.label ?? other?.label, other?.label];
  return (
    <div className="stack-tight" style={{ gap: 2 }}>
      <div className="cut" title={first}>
        {first}
      </div>
      {second !== undefined && second !== first && (
        <div className="cut faint" title={second}>
          {second}
        </div>
      )}
    </div>
  );
}

function Took({ task }: { readonly task: Task | undefined }): JSX.Element {
  if (task === undefined) return <span className="faint nowrap">Not run</span>;
  return (
    <span className="row" style={{ gap: 6, flexWrap: "nowrap" }}>
      <span
        data-state={task.state_type}
        style={{ display: "inline-flex", color: "var(--state)" }}
        title={stateWord(task.state_type)}
      >
        <Icon name={iconShapeOf(task.state_type)} size={13} label={stateWord(task.state_type)} />
      </span>
      <span className="num nowrap">{durationLabel(task.seconds)}</span>
    </span>
  );
}

/** What only one of them ran differs by all the time it took. */
const weightOf = ([one, other]: RunPair<Task>): number =>
  Math.abs((other?.seconds ?? 0) - (one?.seconds ?? 0));

const tasksOf = (graph: FlowRunGraph): Task[] =>
  timelineOf(graph, Date.now()).rows.map(({ node: { id, label, state_type }, seconds }) => ({
    id,
    label,
    state_type,
    seconds,
  }));
