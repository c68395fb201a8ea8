import type { CheckResult } from "@orchestrator/contract";
import type { JSX, ReactNode } from "react";
import { shortly } from "../../lib/time.ts";
import { IconButton } from "../../ui/button.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { outcomesOf, type Phases } from "./check-details.ts";
import { msText } from "./monitor-words.ts";
import { PhaseBar } from "./phases.tsx";

export function ResultsTable({
  results,
  onShow,
  empty,
}: {
  readonly results: readonly CheckResult[] | undefined;
  readonly onShow: (result: CheckResult) => void;
  readonly empty: ReactNode;
}): JSX.Element {
  const slowest = Math.max(1, ...(results ?? []).map(({ elapsed_ms }) => elapsed_ms));
  return (
    <Table
      label="Results"
      rows={results}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        { title: "Status", cell: (result) => <ResultBadge result={result} /> },
        { title: "Time", look: "wide", cell: ({ checked_at }) => <Ago time={checked_at} /> },
        {
          title: "Message",
          look: "fill",
          cell: ({ message, checked_at }) => (
            <>
              <div className="cut" title={message}>
                {message}
              </div>
              <span className="narrow-only soft">
                <Ago time={checked_at} />
              </span>
            </>
          ),
        },
        {
          title: "Time by phase",
          look: "wide",
          cell: (result) => {
            const timings = timingsOf(result);
            return timings && <PhaseBar timings={timings} most={slowest} />;
          },
        },
        {
          title: "Duration",
          look: "wide end",
          cell: ({ elapsed_ms }) => <span className="num nowrap">{msText(elapsed_ms)}</span>,
        },
        {
          title: <span className="visually-hidden">Details</span>,
          cell: (result) => (
            <IconButton
              small
              icon="right"
              label={`Details of the result of ${shortly(result.checked_at)}`}
              onClick={() => onShow(result)}
            />
          ),
        },
      ]}
    />
  );
}

function ResultBadge({ result }: { readonly result: CheckResult }): JSX.Element {
  const { status, maintenance, inconclusive } = result;
  if (maintenance) return <StateBadge type="maintenance" name={`Maintenance (${status})`} />;
  if (inconclusive) return <StateBadge type={undefined} name="Inconclusive" />;
  return <StateBadge type={status} />;
}

/** Of all requests of the run together. */
function timingsOf(result: CheckResult): Phases | undefined {
  return outcomesOf(result).find(({ details }) => details.timings !== undefined)?.details.timings;
}
