import type { FlowRun, FlowRunGraph } from "@orchestrator/contract";
import type { JSX } from "react";
import { durationLabel, timeLabel } from "../../lib/time.ts";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Difference, RunTitle } from "./compare-parts.tsx";
import { aligned } from "./side-by-side.ts";

/** A run that was tried without end has very many; the latest matter. */
const MOST = 200;

interface Held {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly timestamp: string;
  /** Null for the one it is in. */
  readonly seconds: number | null;
}

/** What two runs went through, the same beside the same, and how long each of it held. */
export function CompareStates({
  runs: [a, b],
  graphs,
}: {
  readonly runs: readonly [FlowRun, FlowRun];
  readonly graphs: readonly [FlowRunGraph, FlowRunGraph];
}): JSX.Element {
  const [ofA, ofB] = [historyOf(graphs[0]), historyOf(graphs[1])];
  const rows = aligned(ofA.slice(-MOST), ofB.slice(-MOST), (one, other) => one.name === other.name);
  return (
    <Card flush title="States">
      {Math.max(ofA.length, ofB.length) > MOST && (
        <NoticeBox>Only the last {MOST} states of each are compared.</NoticeBox>
      )}
      <Table
        label="States"
        rows={rows}
        keyOf={([one, other]) => `${one?.id} ${other?.id}`}
        empty={<Empty icon="clock" title="No states yet" />}
        columns={[
          { title: <RunTitle run={a} />, cell: ([one]) => <State of={one} /> },
          { title: <RunTitle run={b} />, cell: ([, other]) => <State of={other} /> },
          {
            title: "Difference",
            look: "end",
            cell: ([one, other]) => <Difference a={one?.seconds} b={other?.seconds} />,
          },
        ]}
      />
    </Card>
  );
}

function State({ of: state }: { readonly of: Held | undefined }): JSX.Element {
  if (state === undefined) return <span className="faint">–</span>;
  return (
    <span className="row" style={{ gap: "2px 10px" }} title={timeLabel(state.timestamp)}>
      <StateBadge type={state.type} name={state.name} />
      {state.seconds !== null && <span className="num nowrap">{durationLabel(state.seconds)}</span>}
    </span>
  );
}

function historyOf({ states }: FlowRunGraph): Held[] {
  const ordered = states.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  return ordered.map((state, i) => {
    const next = ordered[i + 1];
    const ms = next && Date.parse(next.timestamp) - Date.parse(state.timestamp);
    return { ...state, seconds: ms === undefined ? null : Math.max(0, ms / 1000) };
  });
}
