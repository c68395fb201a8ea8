import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { useSearch } from "../../navigation/location.ts";
import { pageOf } from "../../navigation/paged-search.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/form.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { LogOutButton } from "../login/log-out-button.tsx";
import { UptimeGate } from "../login/uptime-gate.tsx";
import { IncidentsTable } from "./incidents-table.tsx";

const PAGE_SIZE = 50;
const SHOWN = [
  ["all", "All"],
  ["open", "Open"],
  ["ended", "Resolved"],
] as const;
type Shown = (typeof SHOWN)[number][0];

interface Search extends Record<string, string | undefined> {
  readonly show?: Shown;
  readonly page?: string;
}

function readSearch(search: URLSearchParams): Search {
  const show = SHOWN.find(([key]) => key === search.get("show"))?.[0];
  const page = search.get("page");
  return { ...(show && { show }), ...(page !== null && { page }) };
}

export function IncidentsPage(): JSX.Element {
  return (
    <UptimeGate>
      <Incidents />
    </UptimeGate>
  );
}

function Incidents(): JSX.Element {
  const [search, setSearch] = useSearch(readSearch);
  const { show = "all" } = search;
  const page = pageOf(search);
  const { data, error } = useQuery({
    queryKey: ["monitors", "incidents", "page", show, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      uptime.incidents.list(
        {
          ...(show !== "all" && { open: show === "open" }),
          limit: PAGE_SIZE + 1,
          offset: (page - 1) * PAGE_SIZE,
        },
        { signal },
      ),
  });
  return (
    <PageFrame title="Incidents" actions={<LogOutButton />}>
      <div className="row">
        <Segments
          label="Incidents"
          options={SHOWN}
          value={show}
          onValue={(next) => setSearch({ show: next, page: "" })}
        />
      </div>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush>
        <IncidentsTable
          withMonitor
          incidents={data?.slice(0, PAGE_SIZE)}
          empty={
            <Empty icon="check" title={show === "open" ? "No open incidents" : "No incidents yet"}>
              <p>
                An incident opens when a monitor goes down or degraded, and resolves when the
                monitor recovers.
              </p>
            </Empty>
          }
        />
        {data && (page > 1 || data.length > PAGE_SIZE) && (
          <nav className="pager" aria-label="Pages">
            <Button
              small
              icon="left"
              disabled={page <= 1}
              onClick={() => setSearch({ page: String(page - 1) })}
            >
              Newer
            </Button>
            <Button
              small
              disabled={data.length <= PAGE_SIZE}
              onClick={() => setSearch({ page: String(page + 1) })}
            >
              Older
            </Button>
          </nav>
        )}
      </Card>
    </PageFrame>
  );
}
