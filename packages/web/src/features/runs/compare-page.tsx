import type { FlowRun } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { durationLabel, shortly } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import { LabeledField, Select } from "../../ui/form.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox, PageFrame, Skeleton, TagChips } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { CompareStates } from "./compare-states.tsx";
import { CompareTasks } from "./compare-tasks.tsx";
import { graphOf, runQuery } from "./run-page-queries.ts";

type CompareSearch = { readonly a?: string; readonly b?: string };

function readSearch(search: URLSearchParams): CompareSearch {
  const [a, b] = [search.get("a"), search.get("b")];
  return { ...(a !== null && { a }), ...(b !== null && { b }) };
}

/** Two runs side by side; what differs is marked. */
export function ComparePage(): JSX.Element {
  const [{ a = "", b = "" }, setSearch] = useSearch(readSearch);
  const { data: first, error: ofFirst } = useQuery({ ...runQuery(a), enabled: a !== "" });
  const { data: second, error: ofSecond } = useQuery({ ...runQuery(b), enabled: b !== "" });
  const error = ofFirst ?? ofSecond;
  return (
    <PageFrame title="Compare runs" crumbs={[{ label: "Runs", to: "/runs" }]}>
      {a === "" && (
        <Card>
          <Empty icon="runs" title="Select a run first">
            <p>
              Open a run from <PageLink to="/runs">the list</PageLink> and choose Compare.
            </p>
          </Empty>
        </Card>
      )}
      {a !== "" && first === undefined && !error && <Skeleton lines={6} />}
      {first && <Other run={first} picked={b} onPick={(id) => setSearch({ b: id })} />}
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      {first && second && <Comparison a={first} b={second} />}
      {first && second && <Course key={`${a} ${b}`} a={first} b={second} />}
    </PageFrame>
  );
}

/** The latest runs of the same flow, to choose from. */
function Other({
  run,
  picked,
  onPick,
}: {
  readonly run: FlowRun;
  readonly picked: string;
  readonly onPick: (id: string) => void;
}): JSX.Element {
  const { data, error } = useQuery({
    queryKey: ["flow-runs", "siblings", run.flow_id],
    queryFn: ({ signal }) =>
      api.flowRuns.list(
        {
          flow_runs: { flow_id: { any_: [run.flow_id] } },
          sort: "EXPECTED_START_TIME_DESC",
          limit: 50,
        },
        { signal },
      ),
  });
  const options = (data ?? [])
    .filter(({ id }) => id !== run.id)
    .map(({ id, name, state_name, expected_start_time }) => {
      const when = expected_start_time === null ? "" : `, ${shortly(expected_start_time)}`;
      return [id, `${name} (${state_name ?? "no state"}${when})`] as const;
    });
  return (
    <Card>
      <LabeledField label={`Compare ${run.name} with`} error={error ? errorText(error) : undefined}>
        {(field) => (
          <Select
            {...field}
            value={picked}
            options={[["", "A run of the same flow"], ...options]}
            onValue={onPick}
          />
        )}
      </LabeledField>
    </Card>
  );
}

interface Difference {
  readonly name: string;
  readonly a: ReactNode;
  readonly b: ReactNode;
  readonly differs: boolean;
}

function Comparison({ a, b }: { readonly a: FlowRun; readonly b: FlowRun }): JSX.Element {
  const rows = [...figures(a, b), ...parameters(a, b)];
  return (
    <Card flush>
      <Table
        label="Comparison"
        rows={rows}
        keyOf={({ name }) => name}
        empty={null}
        columns={[
          {
            title: "",
            cell: ({ name, differs }) =>
              differs ? <strong>{name} ≠</strong> : <span className="soft">{name}</span>,
          },
          {
            title: <PageLink to={`/runs/${a.id}`}>{a.name}</PageLink>,
            cell: ({ a: value }) => value,
          },
          {
            title: <PageLink to={`/runs/${b.id}`}>{b.name}</PageLink>,
            cell: ({ b: value }) => value,
          },
        ]}
      />
    </Card>
  );
}

/** Read anew whenever the run comes to another state; until then what was there stays. */
const courseOf = ({ id, state_id }: FlowRun) => ({
  ...graphOf(id),
  queryKey: ["task-runs", "graph", id, state_id ?? ""],
  placeholderData: keepPreviousData,
});

/** What both went through. The graph of a run holds its states, too. */
function Course({ a, b }: { readonly a: FlowRun; readonly b: FlowRun }): JSX.Element {
  const [ofA, ofB] = [useQuery(courseOf(a)), useQuery(courseOf(b))];
  const error = ofA.error ?? ofB.error;
  const problem = error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>;
  if (!ofA.data || !ofB.data) return problem ?? <Skeleton lines={6} />;
  const [runs, graphs] = [[a, b] as const, [ofA.data, ofB.data] as const];
  return (
    <>
      {problem}
      <CompareStates runs={runs} graphs={graphs} />
      <CompareTasks runs={runs} graphs={graphs} />
    </>
  );
}

function figures(a: FlowRun, b: FlowRun): Difference[] {
  const row = (name: string, of: (run: FlowRun) => unknown, show: (run: FlowRun) => ReactNode) => ({
    name,
    a: show(a),
    b: show(b),
    differs: JSON.stringify(of(a)) !== JSON.stringify(of(b)),
  });
  return [
    row(
      "State",
      (run) => run.state_name,
      (run) => <StateBadge type={run.state_type} name={run.state_name} />,
    ),
    row(
      "Started",
      () => null,
      (run) => <Ago time={run.start_time} />,
    ),
    row(
      "Duration",
      () => null,
      (run) => (
        <span className="num">{run.start_time ? durationLabel(run.estimated_run_time) : "–"}</span>
      ),
    ),
    row(
      "Queued",
      () => null,
      (run) => <span className="num">{durationLabel(run.estimated_start_time_delta)}</span>,
    ),
    row(
      "Attempts",
      (run) => run.run_count,
      (run) => <span className="num">{run.run_count}</span>,
    ),
    row(
      "Version",
      (run) => run.deployment_version,
      (run) => run.deployment_version ?? "–",
    ),
    row(
      "Work pool",
      (run) => run.work_pool_name,
      (run) => run.work_pool_name ?? "–",
    ),
    row(
      "Tags",
      (run) => run.tags,
      (run) => <TagChips tags={run.tags} />,
    ),
  ];
}

function parameters(a: FlowRun, b: FlowRun): Difference[] {
  const names = [...new Set([...Object.keys(a.parameters), ...Object.keys(b.parameters)])].sort();
  return names.map((name) => {
    const [left, right] = [writeJson(a.parameters[name]), writeJson(b.parameters[name])];
    return {
      name: `Parameter ${name}`,
      a: <code>{left}</code>,
      b: <code>{right}</code>,
      differs: left !== right,
    };
  });
}
