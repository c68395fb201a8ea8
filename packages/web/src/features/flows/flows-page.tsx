import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { LastRuns } from "../../charts/last-runs.tsx";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import { pageOf, readPagedSearch } from "../../navigation/paged-search.ts";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, NoticeBox, PageFrame, TagChips } from "../../ui/surface.tsx";
import { Pager, Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { lastRunsOf } from "../runs/last-runs-query.ts";

const PAGE_SIZE = 25;

export function FlowsPage(): JSX.Element {
  const [search, setSearch] = useSearch(readPagedSearch);
  const { text = "" } = search;
  const flows = useQuery({
    queryKey: ["flows", "page", search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.flows.paginate(
        {
          ...(text === "" ? {} : { flows: { name: { like_: text } } }),
          sort: "UPDATED_DESC",
          limit: PAGE_SIZE,
          page: pageOf(search),
        },
        { signal },
      ),
  });
  const ids = flows.data?.results.map(({ id }) => id) ?? [];
  const lastRuns = useQuery(lastRunsOf("flow", ids)).data;
  const counts = useQuery({
    queryKey: ["deployments", "per-flow", ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) => api.dashboard.countDeploymentsOfFlows({ flow_ids: ids }, { signal }),
  }).data;
  return (
    <PageFrame title="Flows">
      <div className="row">
        <SearchBox
          label="Flow name"
          value={text}
          onValue={(typed) => setSearch({ text: typed, page: "" })}
        />
      </div>
      {flows.error && <NoticeBox kind="error">{errorText(flows.error)}</NoticeBox>}
      <Card flush>
        <Table
          label="Flows"
          rows={flows.data?.results}
          keyOf={({ id }) => id}
          empty={
            text === "" ? (
              <Empty icon="flow" title="No flows yet" command="orchestrator init my-project">
                <p>
                  A flow is a function whose runs are recorded. It appears here when you first run
                  or deploy it.
                </p>
              </Empty>
            ) : (
              <Empty icon="filter" title="No matching flows" />
            )
          }
          columns={[
            {
              title: "Flow",
              look: "fill",
              cell: ({ id, name }) => (
                <div className="cut">
                  <PageLink to={`/flows/${id}`}>{name}</PageLink>
                </div>
              ),
            },
            { title: "Recent runs", cell: ({ id }) => <LastRuns runs={lastRuns?.[id] ?? []} /> },
            {
              title: "Deployments",
              look: "wide end",
              cell: ({ id }) => <span className="num">{counts?.[id] ?? "–"}</span>,
            },
            { title: "Tags", look: "wide", cell: ({ tags }) => <TagChips tags={tags} /> },
            { title: "Created", look: "wide", cell: ({ created }) => <Ago time={created} /> },
          ]}
        />
        {flows.data && (
          <Pager {...flows.data} what="flow" onPage={(page) => setSearch({ page: String(page) })} />
        )}
      </Card>
    </PageFrame>
  );
}
