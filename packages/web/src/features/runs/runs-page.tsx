import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { RunScatter } from "../../charts/run-scatter.tsx";
import { StateBars, StateLegend } from "../../charts/state-bars.tsx";
import { errorText } from "../../lib/error-text.ts";
import { counted } from "../../lib/words.ts";
import { navigate, pathWith, useSearch } from "../../navigation/location.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/form.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Pager } from "../../ui/table.tsx";
import { PickedRuns } from "./picked-runs.tsx";
import { RunFilters } from "./run-filters.tsx";
import { chartOf, MOST_POINTS, runPoints, runsHistory, runsPage } from "./run-queries.ts";
import {
  RUNS_WINDOW_WORDS,
  type RunsSearch,
  type RunsWindow,
  readRunsSearch,
} from "./runs-search.ts";
import { RunsTable } from "./runs-table.tsx";
import { usePicks } from "./use-picks.ts";

const CHARTS = [
  ["bars", "Bars"],
  ["scatter", "Points"],
] as const;

const WINDOW: RunsWindow = "7d";

export function RunsPage(): JSX.Element {
  const [asked, setSearch] = useSearch(readRunsSearch);
  const search = { ...asked, window: asked.window ?? WINDOW };
  const narrow = (change: Partial<RunsSearch>) => setSearch({ page: "", ...change });
  const page = useQuery(runsPage(search));
  const history = useQuery(runsHistory(search));
  const [picks, pick] = usePicks(asked);
  const isNarrowed = Object.keys(asked).some((key) => !["page", "chart", "window"].includes(key));
  return (
    <PageFrame title="Runs">
      <Card
        title={
          <StateLegend
            intervals={history.data}
            linkTo={(state) => pathWith("/runs", { ...asked, page: "", states: [state] })}
          />
        }
        actions={
          <>
            <Segments
              label="Chart"
              options={CHARTS}
              value={search.chart ?? "bars"}
              onValue={(chart) => setSearch({ chart })}
            />
            <Segments<RunsWindow | "">
              label="Time"
              options={RUNS_WINDOW_WORDS}
              value={search.from ? "" : search.window}
              onValue={(window) => narrow({ window: window || WINDOW, from: "", to: "" })}
            />
          </>
        }
      >
        <Chart search={search} onPick={(from, to) => narrow({ from, to })} />
      </Card>
      <RunFilters search={asked} onChange={narrow} />
      {page.error && <NoticeBox kind="error">{errorText(page.error)}</NoticeBox>}
      {picks.ids.size > 0 && (
        <PickedRuns
          picks={picks}
          search={search}
          total={page.data?.count ?? picks.ids.size}
          onAll={() => pick({ ...picks, isAll: true })}
          onDone={() => pick({})}
        />
      )}
      <Card flush>
        <RunsTable
          runs={page.data?.results}
          isOfOneFlow={isSet(asked.flow) || isSet(asked.deployment)}
          picking={{ picked: picks.ids, onPick: (ids) => pick({ ids }) }}
          empty={
            isNarrowed ? (
              <Empty icon="filter" title="No matching runs">
                <Button onClick={() => navigate("/runs?window=all")}>Show all runs</Button>
              </Empty>
            ) : (
              <Empty
                icon="runs"
                title="No runs yet"
                command="orchestrator deployment run my-flow/my-deployment --watch"
              >
                <p>
                  A run appears here when a flow is called, a deployment is started or a schedule is
                  due.
                </p>
                {search.window !== "all" && (
                  <Button onClick={() => navigate("/runs?window=all")}>
                    Show a longer time range
                  </Button>
                )}
              </Empty>
            )
          }
        />
        {page.data && (
          <Pager
            page={page.data.page}
            pages={page.data.pages}
            count={page.data.count}
            what="run"
            onPage={(next) => setSearch({ page: String(next) })}
          />
        )}
      </Card>
    </PageFrame>
  );
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== "";

/** The runs as bars over time, or each as a point. */
function Chart({
  search,
  onPick,
}: {
  readonly search: RunsSearch;
  readonly onPick: (from: string, to: string) => void;
}): JSX.Element {
  const history = useQuery(runsHistory(search));
  const isScatter = search.chart === "scatter";
  const points = useQuery({ ...runPoints(search), enabled: isScatter });
  if (!isScatter) return <StateBars intervals={history.data ?? []} onPick={onPick} />;
  const { start, end } = chartOf(search, Date.now());
  const shown = points.data ?? [];
  const oldest = shown.length < MOST_POINTS ? undefined : shown.at(-1);
  return (
    <>
      <RunScatter
        points={shown}
        start={oldest === undefined ? start : Date.parse(oldest.timestamp)}
        end={end}
      />
      {oldest && (
        <p className="faint" style={{ marginTop: 6 }}>
          Showing the latest {counted(shown.length, "run")}. The bars count all runs; select one to
          zoom in on its time.
        </p>
      )}
    </>
  );
}
