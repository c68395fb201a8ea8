import type { StatusPage } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { Button } from "../../ui/button.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { LogOutButton } from "../login/log-out-button.tsx";
import { UptimeGate } from "../login/uptime-gate.tsx";
import { NewPageDialog } from "./new-page-dialog.tsx";
import { publicAddress, statusPagesQuery } from "./status-page-queries.ts";

export function StatusPagesPage(): JSX.Element {
  return (
    <UptimeGate>
      <StatusPages />
    </UptimeGate>
  );
}

function StatusPages(): JSX.Element {
  const { data, error } = useQuery(statusPagesQuery);
  const [isNew, setNew] = useState(false);
  return (
    <PageFrame
      title="Status pages"
      actions={
        <>
          <LogOutButton />
          <Button needs="write" kind="primary" icon="plus" onClick={() => setNew(true)}>
            New page
          </Button>
        </>
      }
    >
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush>
        <Table
          label="Status pages"
          rows={data}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="page" title="No status pages yet">
              <p>
                A public page that shows the status of your service without a login: monitors in
                groups, 90 days of history, incidents and maintenance.
              </p>
              <Button needs="write" onClick={() => setNew(true)}>
                Create a status page
              </Button>
            </Empty>
          }
          columns={[
            { title: "State", cell: (page) => <PublishedBadge page={page} /> },
            {
              title: "Title",
              look: "fill",
              cell: ({ id, title }) => (
                <div className="cut">
                  <PageLink to={`/status-pages/${id}`}>{title}</PageLink>
                </div>
              ),
            },
            {
              title: "Address",
              look: "wide",
              cell: ({ slug, published }) =>
                published ? (
                  <a href={publicAddress(slug)}>{publicAddress(slug)}</a>
                ) : (
                  <span className="faint">{publicAddress(slug)}</span>
                ),
            },
            {
              title: "Groups",
              look: "wide",
              cell: ({ groups }) => <span className="num">{groups.length}</span>,
            },
            { title: "Updated", look: "wide", cell: ({ updated_at }) => <Ago time={updated_at} /> },
          ]}
        />
      </Card>
      {isNew && <NewPageDialog onClose={() => setNew(false)} />}
    </PageFrame>
  );
}

export function PublishedBadge({ page }: { readonly page: StatusPage }): JSX.Element {
  return page.published ? (
    <StateBadge type="up" name="Published" />
  ) : (
    <StateBadge type="paused" name="Draft" />
  );
}
