import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import { pageOf } from "../../navigation/paged-search.ts";
import { Segments } from "../../ui/form.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Pager } from "../../ui/table.tsx";
import { deliveriesPage } from "./deliveries-queries.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";

const STATUSES = [
  ["", "All"],
  ["PENDING", "Waiting"],
  ["FAILED", "Failed"],
  ["DELIVERED", "Delivered"],
] as const;
type Status = (typeof STATUSES)[number][0];

type DeliveriesSearch = { readonly status?: Status; readonly page?: string };

function readSearch(search: URLSearchParams): DeliveriesSearch {
  const status = STATUSES.find(([key]) => key === search.get("status"))?.[0];
  const page = search.get("page");
  return { ...(status && { status }), ...(page !== null && { page }) };
}

/** What automations send: what was taken, what is tried again, what was given up. */
export function DeliveriesPage(): JSX.Element {
  const [search, setSearch] = useSearch(readSearch);
  const page = pageOf(search);
  const { data, error } = useQuery(deliveriesPage({ status: search.status, page }));
  return (
    <PageFrame title="Deliveries" about="Messages sent by automations, and their delivery status.">
      <div>
        <Segments<Status>
          label="Status"
          options={STATUSES}
          value={search.status ?? ""}
          onValue={(status) => setSearch({ status, page: "" })}
        />
      </div>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush>
        <DeliveriesTable
          rows={data?.rows}
          empty={
            search.status ? (
              <Empty icon="filter" title="No matching messages" />
            ) : (
              <Empty icon="up" title="No messages yet">
                <p>
                  What an <PageLink to="/automations">automation</PageLink> sends through a block
                  appears here: when it was delivered, and when it is retried.
                </p>
              </Empty>
            )
          }
        />
        {data && (
          <Pager
            page={page}
            pages={data.pages}
            count={data.count}
            what="message"
            onPage={(next) => setSearch({ page: String(next) })}
          />
        )}
      </Card>
    </PageFrame>
  );
}
