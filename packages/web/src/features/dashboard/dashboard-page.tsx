import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { StateBars, StateLegend } from "../../charts/state-bars.tsx";
import { errorText } from "../../lib/error-text.ts";
import { Link } from "../../navigation/link.tsx";
import { navigate, pathWith, useSearch } from "../../navigation/location.ts";
import { Segments } from "../../ui/form.tsx";
import { Card, Notice, Page } from "../../ui/surface.tsx";
import { runsHistory } from "../runs/run-queries.ts";
import { type RunsWindow, readRunsSearch, WINDOW_WORDS } from "../runs/runs-search.ts";
import { MonitorsCard } from "./monitors-card.tsx";
import { PoolsCard } from "./pools-card.tsx";
import { Troubles } from "./troubles.tsx";

/** What happened lately, with what went wrong first. */
export function DashboardPage(): JSX.Element {
  const [search, setSearch] = useSearch(readRunsSearch);
  const window = search.window ?? "24h";
  const history = useQuery(runsHistory({ window }));
  return (
    <Page
      title="Dashboard"
      actions={
        <Segments<RunsWindow>
          label="Time range"
          options={WINDOW_WORDS}
          value={window}
          onValue={(chosen) => setSearch({ window: chosen })}
        />
      }
    >
      {history.error && <Notice kind="error">{errorText(history.error)}</Notice>}
      <Card
        title={
          <StateLegend
            intervals={history.data}
            linkTo={(state) => pathWith("/runs", { states: [state], window })}
          />
        }
        actions={<Link to={pathWith("/runs", { window })}>View all runs</Link>}
      >
        <StateBars
          intervals={history.data ?? []}
          onPick={(from, to) => navigate(pathWith("/runs", { from, to }))}
        />
      </Card>
      <Troubles window={window} />
      <MonitorsCard />
      <PoolsCard />
    </Page>
  );
}
