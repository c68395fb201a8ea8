import type { CheckResult } from "@orchestrator/contract";
import type { JSX } from "react";
import { Icon } from "../../ui/icons.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Facts } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { type CheckOutcomeText, outcomeStatusOf, outcomesOf } from "./check-details.ts";
import { skewOf, targetTimeText } from "./clock-words.ts";
import { PhaseBar, PhaseLegend } from "./phases.tsx";

/** What each check of a run saw, beside what was expected of it. */
export function CheckOutcomes({
  result,
}: {
  /** One that was only tried has no time: it is of now. */
  readonly result: Pick<CheckResult, "message" | "details" | "status"> &
    Partial<Pick<CheckResult, "checked_at">>;
}): JSX.Element {
  const outcomes = outcomesOf(result);
  return (
    <div className="stack">
      {outcomes.map((outcome) => (
        <Outcome
          key={outcome.name}
          outcome={outcome}
          seenAt={result.checked_at === undefined ? Date.now() : Date.parse(result.checked_at)}
          status={outcomes.length === 1 ? result.status : (outcomeStatusOf(outcome) ?? "up")}
        />
      ))}
      {outcomes.length === 0 && <p className="soft">{result.message}</p>}
    </div>
  );
}

function Outcome({
  outcome,
  status,
  seenAt,
}: {
  readonly outcome: CheckOutcomeText;
  readonly seenAt: number;
  readonly status: string;
}): JSX.Element {
  const { name, summary, details } = outcome;
  const { assertions = [], timings, version, revision, build_time, server_date } = details;
  return (
    <section className="stack-tight">
      <div className="row">
        <StateBadge type={status} />
        <strong>{name}</strong>
        <span style={{ overflowWrap: "anywhere" }}>{summary}</span>
      </div>
      {timings && Object.keys(timings).length > 0 && (
        <>
          <PhaseBar timings={timings} />
          <PhaseLegend timings={timings} />
        </>
      )}
      {version && (
        <Facts
          items={[
            ["Version", version],
            ["Revision", revision],
            ["Built", build_time && targetTimeText(build_time)],
            [
              "Server clock",
              server_date && `${targetTimeText(server_date)}${skewOf(server_date, seenAt)}`,
            ],
          ]}
        />
      )}
      {assertions.length > 0 && (
        <Table
          label={`Expectations of ${name}`}
          rows={assertions}
          keyOf={({ assertion }) => assertion}
          empty={null}
          columns={[
            {
              title: "",
              cell: ({ passed }) => (
                <Icon name={passed ? "check" : "cross"} label={passed ? "Met" : "Not met"} />
              ),
            },
            {
              title: "Expected",
              look: "fill",
              cell: ({ assertion }) => (
                <div className="cut mono" title={assertion}>
                  {assertion}
                </div>
              ),
            },
            {
              title: "Actual",
              cell: ({ seen, passed, problem }) =>
                seen ?? (passed ? <span className="nowrap">as expected</span> : problem),
            },
          ]}
        />
      )}
    </section>
  );
}
