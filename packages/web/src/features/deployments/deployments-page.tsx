import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { useSearch } from "../../navigation/location.ts";
import { pageOf, readPagedSearch } from "../../navigation/paged-search.ts";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Pager } from "../../ui/table.tsx";
import { DeploymentsTable } from "./deployments-table.tsx";

const PAGE_SIZE = 25;

export function DeploymentsPage(): JSX.Element {
  const [search, setSearch] = useSearch(readPagedSearch);
  const { text = "" } = search;
  const { data, error } = useQuery({
    queryKey: ["deployments", "page", search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.deployments.paginate(
        {
          ...(text === "" ? {} : { deployments: { flow_or_deployment_name: { like_: text } } }),
          sort: "UPDATED_DESC",
          limit: PAGE_SIZE,
          page: pageOf(search),
        },
        { signal },
      ),
  });
  return (
    <PageFrame title="Deployments">
      <div className="row">
        <SearchBox
          label="Flow or deployment"
          value={text}
          onValue={(typed) => setSearch({ text: typed, page: "" })}
        />
      </div>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush>
        <DeploymentsTable
          deployments={data?.results}
          empty={
            text === "" ? (
              <Empty icon="deployment" title="No deployments yet" command="orchestrator deploy">
                <p>
                  A deployment is a flow with a work pool to run in, parameters and, optionally, a
                  schedule.
                </p>
              </Empty>
            ) : (
              <Empty icon="filter" title="No matching deployments" />
            )
          }
        />
        {data && (
          <Pager {...data} what="deployment" onPage={(page) => setSearch({ page: String(page) })} />
        )}
      </Card>
    </PageFrame>
  );
}
