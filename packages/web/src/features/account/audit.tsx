import type { AuditEntry } from "@orchestrator/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { errorText } from "../../lib/error-text.ts";
import { useSearch } from "../../navigation/location.ts";
import { Button, buttonClass, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { membersQuery, serviceAccountsOf } from "./account-queries.ts";
import { AuditDetails, ResultBadge } from "./audit-details.tsx";
import { AUDIT_WINDOWS, RESULTS, readAuditSearch, selectionOf } from "./audit-search.ts";
import type { PartProps } from "./part-props.ts";

const PAGE = 50;

/** Who did what to what, from where. */
export function AuditTable({ accountId }: PartProps): JSX.Element {
  const [search, setSearch] = useSearch(readAuditSearch);
  const [shown, setShown] = useState<AuditEntry>();
  const selection = selectionOf(search);
  const found = useInfiniteQuery({
    queryKey: ["account", accountId, "audit", selection],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      accountsClient.audit.list(
        accountId,
        { ...selection, limit: PAGE, ...(cursor !== undefined && { cursor }) },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const rows = found.data?.pages.flatMap(({ entries }) => entries);
  const query = new URLSearchParams(selection).toString();
  const actors = useActors(accountId);
  return (
    <>
      <div className="row filters">
        <span className="filter">
          <Select
            aria-label="Result"
            options={RESULTS}
            value={search.result ?? ""}
            onValue={(result) => setSearch({ result })}
          />
        </span>
        <span className="filter">
          <Select
            aria-label="Time"
            options={AUDIT_WINDOWS}
            value={search.window ?? ""}
            onValue={(window) => setSearch({ window })}
          />
        </span>
        <span className="filter">
          <Select
            aria-label="Actor"
            options={actors}
            value={search.actor ?? ""}
            onValue={(actor) => setSearch({ actor })}
          />
        </span>
        <SearchBox
          label="Operation"
          value={search.operation ?? ""}
          onValue={(operation) => setSearch({ operation })}
        />
        <SearchBox
          label="ID or name"
          value={search.resource ?? ""}
          onValue={(resource) => setSearch({ resource })}
        />
      </div>
      {found.error && <NoticeBox kind="error">{errorText(found.error)}</NoticeBox>}
      <Card
        flush
        title="Audit log"
        actions={
          <a
            className={buttonClass({ small: true })}
            href={`${accountsClient.url}/accounts/${accountId}/audit/export${query && `?${query}`}`}
          >
            <Icon name="download" /> CSV
          </a>
        }
      >
        <Table
          label="Audit log"
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="book" title={query === "" ? "No entries yet" : "No matching entries"}>
              <p>Changes and denied attempts are recorded here.</p>
            </Empty>
          }
          columns={[
            { title: "Time", cell: ({ occurred }) => <Ago time={occurred} /> },
            {
              title: "Actor",
              look: "wide",
              cell: ({ actor_name }) => <span className="nowrap">{actor_name}</span>,
            },
            {
              title: "Operation",
              look: "fill",
              cell: ({ operation, resource_id, resource_name }) => (
                <div className="stack-tight" style={{ gap: 0 }}>
                  <code className="cut" title={operation}>
                    {operation}
                  </code>
                  <span className="cut soft" title={resource_id ?? ""}>
                    {resource_name ?? resource_id}
                  </span>
                </div>
              ),
            },
            { title: "Result", cell: ({ result }) => <ResultBadge result={result} /> },
            { title: "IP address", look: "wide", cell: ({ address }) => <code>{address}</code> },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (entry) => (
                <IconButton
                  small
                  icon="right"
                  label={`Details of ${entry.operation}`}
                  onClick={() => setShown(entry)}
                />
              ),
            },
          ]}
        />
        {found.hasNextPage && (
          <div className="row" style={{ padding: 12, justifyContent: "center" }}>
            <Button
              small
              icon="down"
              busy={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              Older
            </Button>
          </div>
        )}
      </Card>
      {shown && (
        <AuditDetails accountId={accountId} entry={shown} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

/** Everyone who can do something now; whoever has left is found by what they did. */
function useActors(accountId: string): readonly (readonly [string, string])[] {
  const members = useQuery(membersQuery(accountId)).data ?? [];
  const services = useQuery(serviceAccountsOf(accountId)).data ?? [];
  return [
    ["", "Everyone"],
    ...members.map(({ user_id, name }) => [user_id, name] as const),
    ...services.map(({ id, name }) => [id, `${name} (service)`] as const),
  ];
}
