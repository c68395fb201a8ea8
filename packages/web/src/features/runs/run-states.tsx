import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { durationLabel, exactly, timeLabel } from "../../lib/time.ts";
import { LongText } from "../../ui/long-text.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { statesOf } from "./run-page-queries.ts";

/** Every state the run was in, the newest first, and how long. */
export function RunStates({ run }: { readonly run: FlowRun }): JSX.Element {
  const { data } = useQuery(statesOf(run.id));
  const states = data?.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
  const rows = states?.map((state, i) => {
    const next = states[i - 1];
    const until = next === undefined ? null : Date.parse(next.timestamp);
    return { state, seconds: until === null ? null : (until - Date.parse(state.timestamp)) / 1000 };
  });
  return (
    <Card flush>
      <Table
        label="States"
        rows={rows}
        keyOf={({ state }) => state.id}
        empty={<Empty icon="clock" title="No states yet" />}
        columns={[
          {
            title: "State",
            cell: ({ state }) => <StateBadge type={state.type} name={state.name} />,
          },
          {
            title: "Message",
            look: "fill",
            cell: ({ state }) => <LongText text={state.message ?? "–"} />,
          },
          {
            title: "Time",
            look: "wide",
            cell: ({ state }) => (
              <time
                dateTime={state.timestamp}
                title={exactly(state.timestamp)}
                className="nowrap num"
              >
                {timeLabel(state.timestamp)}
              </time>
            ),
          },
          {
            title: "Duration",
            look: "end",
            cell: ({ seconds }) => (
              <span className="num nowrap">
                {seconds === null ? "now" : durationLabel(Math.max(0, seconds))}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}
