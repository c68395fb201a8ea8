import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { navigate, useSearch } from "../../app/location.ts";
import { RunScatter } from "../../charts/run-scatter.tsx";
import { StateBars, StateLegend } from "../../charts/state-bars.tsx";
import { STATE_TYPES, stateWord } from "../../charts/states.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Input, Segments, Select } from "../../ui/form.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, Notice, Page } from "../../ui/surface.tsx";
import { Pager } from "../../ui/table.tsx";
import { PickedRuns } from "./picked-runs.tsx";
import { runPoints, runsHistory, runsPage } from "./run-queries.ts";
import {
  type RunsSearch,
  readRunsSearch,
  WINDOW_WORDS,
  WINDOWS,
  type Window,
} from "./runs-search.ts";
import { RunsTable } from "./runs-table.tsx";
import { SavedViews } from "./saved-views.tsx";

const CHARTS = [
  ["bars", "Bars"],
  ["scatter", "Points"],
] as const;

export function RunsPage(): JSX.Element {
  const [search, setSearch] = useSearch(readRunsSearch);
  const narrow = (change: Partial<RunsSearch>) => setSearch({ page: "", ...change });
  const page = useQuery(runsPage(search));
  const history = useQuery(runsHistory(search));
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const isNarrowed = Object.keys(search).some((key) => key !== "page" && key !== "chart");
  return (
    <Page title="Runs">
      <Card
        title={<StateLegend intervals={history.data} />}
        actions={
          <>
            <Segments
              label="Chart"
              options={CHARTS}
              value={search.chart ?? "bars"}
              onValue={(chart) => setSearch({ chart })}
            />
            <Segments<Window>
              label="Time"
              options={WINDOW_WORDS}
              value={search.window ?? "24h"}
              onValue={(window) => narrow({ window })}
            />
          </>
        }
      >
        <Chart search={search} />
      </Card>
      <Filters search={search} onChange={narrow} />
      {page.error && <Notice kind="error">{errorText(page.error)}</Notice>}
      {picked.size > 0 && (
        <PickedRuns
          picked={picked}
          search={search}
          total={page.data?.count ?? picked.size}
          onDone={() => setPicked(new Set())}
        />
      )}
      <Card flush>
        <RunsTable
          runs={page.data?.results}
          picking={{ picked, onPick: setPicked }}
          empty={
            isNarrowed ? (
              <Empty icon="filter" title="No run matches">
                <Button onClick={() => navigate("/runs")}>Show all runs</Button>
              </Empty>
            ) : (
              <Empty
                icon="runs"
                title="No runs yet"
                command="orchestrator deployment run my-flow/my-deployment --watch"
              >
                <p>
                  A run appears here as soon as a flow is called, a deployment is started or a
                  schedule comes due.
                </p>
              </Empty>
            )
          }
        />
        {page.data && (
          <Pager
            page={page.data.page}
            pages={page.data.pages}
            count={page.data.count}
            what="runs"
            onPage={(next) => setSearch({ page: String(next) })}
          />
        )}
      </Card>
    </Page>
  );
}

function Filters({
  search,
  onChange,
}: {
  readonly search: RunsSearch;
  readonly onChange: (change: Partial<RunsSearch>) => void;
}): JSX.Element {
  return (
    <search className="row">
      <SearchBox
        label="Name of the run"
        value={search.text ?? ""}
        onValue={(text) => onChange({ text })}
      />
      <div style={{ width: 170 }}>
        <Select
          aria-label="State"
          value={search.states?.[0] ?? ""}
          onValue={(state) => onChange({ states: state === "" ? [] : [state] })}
          options={[
            ["", "Any state"],
            ["LATE", "Late"],
            ...STATE_TYPES.toReversed().map((type) => [type, stateWord(type)] as const),
          ]}
        />
      </div>
      <div style={{ width: 200 }}>
        <Input
          aria-label="Tags, with commas between them"
          placeholder="Tags: a, b"
          defaultValue={search.tags?.join(", ") ?? ""}
          onBlur={({ target }) => onChange({ tags: namesIn(target.value) })}
        />
      </div>
      <SavedViews search={search} />
    </search>
  );
}

const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** The runs as bars over time, or each as a point. */
function Chart({ search }: { readonly search: RunsSearch }): JSX.Element {
  const history = useQuery(runsHistory(search));
  const isScatter = search.chart === "scatter";
  const points = useQuery({ ...runPoints(search), enabled: isScatter });
  return isScatter ? (
    <RunScatter points={points.data ?? []} seconds={WINDOWS[search.window ?? "24h"]} />
  ) : (
    <StateBars intervals={history.data ?? []} />
  );
}
