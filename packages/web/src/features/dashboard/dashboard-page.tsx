import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { StateBars, StateLegend } from "../../charts/state-bars.tsx";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, pathWith, useSearch } from "../../navigation/location.ts";
import { Segments } from "../../ui/form.tsx";
import { Card, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { runsHistory } from "../runs/run-queries.ts";
import { type RunsWindow, readRunsSearch, WINDOW_WORDS } from "../runs/runs-search.ts";
import { MonitorsCard } from "./monitors-card.tsx";
import { PoolsCard } from "./pools-card.tsx";
import { RecentFailures } from "./recent-failures.tsx";

/** What happened lately, with what went wrong first. */
export function DashboardPage(): JSX.Element {
  const [search, setSearch] = useSearch(readRunsSearch);
  const window = search.window ?? "24h";
  const history = useQuery(runsHistory({ window }));
  return (
    <PageFrame
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
      {history.error && <NoticeBox kind="error">{errorText(history.error)}</NoticeBox>}
      <Card
        title={
          <StateLegend
            intervals={history.data}
            linkTo={(state) => pathWith("/runs", { states: [state], window })}
          />
        }
        actions={<PageLink to={pathWith("/runs", { window })}>View all runs</PageLink>}
      >
        <StateBars
          intervals={history.data ?? []}
          onPick={(from, to) => navigate(pathWith("/runs", { from, to }))}
        />
      </Card>
      <RecentFailures window={window} />
      <MonitorsCard />
      <PoolsCard />
    </PageFrame>
  );
}
