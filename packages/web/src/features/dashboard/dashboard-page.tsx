import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { Link } from "../../app/link.tsx";
import { navigate, pathWith, useSearch } from "../../app/location.ts";
import { StateBars, StateLegend } from "../../charts/state-bars.tsx";
import { errorText } from "../../lib/error-text.ts";
import { Segments } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, Notice, Page, Skeleton } from "../../ui/surface.tsx";
import { conditionsOf, runsHistory } from "../runs/run-queries.ts";
import { readRunsSearch, WINDOW_WORDS, type Window } from "../runs/runs-search.ts";
import { RunsTable } from "../runs/runs-table.tsx";
import { MonitorsCard } from "./monitors-card.tsx";

const SHOWN = 6;

/** What happened lately, with what went wrong first. */
export function DashboardPage(): JSX.Element {
  const [search, setSearch] = useSearch(readRunsSearch);
  const window = search.window ?? "24h";
  const history = useQuery(runsHistory({ window }));
  return (
    <Page
      title="Dashboard"
      actions={
        <Segments<Window>
          label="Time"
          options={WINDOW_WORDS}
          value={window}
          onValue={(chosen) => setSearch({ window: chosen })}
        />
      }
    >
      {history.error && <Notice kind="error">{errorText(history.error)}</Notice>}
      <Card
        title={<StateLegend intervals={history.data} />}
        actions={<Link to={pathWith("/runs", { window })}>All runs</Link>}
      >
        <StateBars
          intervals={history.data ?? []}
          onPick={() => navigate(pathWith("/runs", { window }))}
        />
      </Card>
      <div className="grid">
        <Failures window={window} />
        <Late />
      </div>
      <MonitorsCard />
      <Pools />
    </Page>
  );
}

function Failures({ window }: { readonly window: Window }): JSX.Element {
  const states = ["FAILED", "CRASHED"];
  const { data } = useQuery({
    queryKey: ["flow-runs", "failures", window],
    queryFn: ({ signal }) =>
      api.flowRuns.list(
        { ...conditionsOf({ states, window }, Date.now()), sort: "END_TIME_DESC", limit: SHOWN },
        { signal },
      ),
  });
  return (
    <Card
      flush
      title="Failed lately"
      actions={
        data &&
        data.length > 0 && <Link to={pathWith("/runs", { states, window })}>All of them</Link>
      }
    >
      <RunsTable
        isNarrow
        runs={data}
        empty={
          <Empty icon="check" title="Nothing failed">
            <p>No run failed or crashed in this time.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function Late(): JSX.Element {
  const { data } = useQuery({
    queryKey: ["flow-runs", "late"],
    queryFn: ({ signal }) =>
      api.flowRuns.list(
        {
          flow_runs: { state: { name: { any_: ["Late"] } } },
          sort: "NEXT_SCHEDULED_START_TIME_ASC",
          limit: SHOWN,
        },
        { signal },
      ),
  });
  return (
    <Card
      flush
      title="Late"
      actions={
        data &&
        data.length > 0 && <Link to={pathWith("/runs", { states: ["LATE"] })}>All of them</Link>
      }
    >
      <RunsTable
        isNarrow
        runs={data}
        empty={
          <Empty icon="clock" title="Nothing is late">
            <p>Every run that was due has been picked up.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function Pools(): JSX.Element {
  const { data } = useQuery({
    queryKey: ["work-pools", "all"],
    queryFn: ({ signal }) => api.workPools.list({ limit: 12 }, { signal }),
  });
  return (
    <Card title="Work pools" actions={<Link to="/work-pools">All pools</Link>}>
      {data === undefined && <Skeleton />}
      {data?.length === 0 && (
        <Empty
          icon="pool"
          title="No work pools yet"
          command="orchestrator work-pool create default --type process"
        >
          <p>A pool is where deployments send their runs and where workers fetch them.</p>
        </Empty>
      )}
      <div className="grid">
        {data?.map(({ id, name, type, status }) => (
          <div key={id} className="spread">
            <span className="row">
              <Icon name="pool" />
              <Link to={`/work-pools/${encodeURIComponent(name)}`}>{name}</Link>
              <span className="faint">{type}</span>
            </span>
            <StateBadge type={status} />
          </div>
        ))}
      </div>
    </Card>
  );
}
