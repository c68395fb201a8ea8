import type { Workspace } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { sessionQuery } from "../../api/session.ts";
import { openPath } from "../../api/sign-in.ts";
import { forgetWorkspace, workspace as here, prefixOf } from "../../api/workspace.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { workspacesQuery } from "./account-queries.ts";
import { DeleteByHandle } from "./delete-by-handle.tsx";
import type { PartProps } from "./part-props.ts";
import { QuotasDialog } from "./quotas-dialog.tsx";
import { WorkspaceDialog } from "./workspace-dialog.tsx";

export function Workspaces({ accountId }: PartProps): JSX.Element {
  const queries = useQueryClient();
  const [editing, setEditing] = useState<Workspace | "new">();
  const [deleting, setDeleting] = useState<Workspace>();
  const [measured, setMeasured] = useState<Workspace>();
  const { data, error } = useQuery(workspacesQuery(accountId));
  const changed = async () => {
    await queries.invalidateQueries({ queryKey: ["account", accountId] });
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  return (
    <>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card
        flush
        title="Workspaces"
        actions={
          <Button small icon="plus" needs="manage" onClick={() => setEditing("new")}>
            New workspace
          </Button>
        }
      >
        <Table
          label="Workspaces"
          rows={data}
          keyOf={({ id }) => id}
          empty={<Empty icon="layers" title="No workspaces" />}
          columns={[
            {
              title: "Name",
              look: "fill",
              cell: (workspace) => (
                <div className="stack-tight" style={{ gap: 0 }}>
                  <span className="row">
                    <a href={prefixOf({ account_id: accountId, workspace_id: workspace.id })}>
                      {workspace.name}
                    </a>
                    {workspace.id === here?.workspace_id && <span className="tag">current</span>}
                  </span>
                  <span className="soft">{workspace.description}</span>
                </div>
              ),
            },
            { title: "Handle", cell: ({ handle }) => <code className="nowrap">{handle}</code> },
            { title: "Created", look: "wide", cell: ({ created }) => <Ago time={created} /> },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (workspace) => (
                <span className="row" style={{ flexWrap: "nowrap", gap: 2 }}>
                  <IconButton
                    small
                    icon="limit"
                    label={`Quotas of ${workspace.name}`}
                    onClick={() => setMeasured(workspace)}
                  />
                  <IconButton
                    small
                    icon="edit"
                    label={`Edit ${workspace.name}`}
                    needs="manage"
                    onClick={() => setEditing(workspace)}
                  />
                  <IconButton
                    small
                    icon="trash"
                    label={`Delete ${workspace.name}`}
                    needs="manage"
                    onClick={() => setDeleting(workspace)}
                  />
                </span>
              ),
            },
          ]}
        />
      </Card>
      {editing && (
        <WorkspaceDialog
          accountId={accountId}
          {...(editing !== "new" && { workspace: editing })}
          onClose={() => setEditing(undefined)}
          onSaved={async ({ name }) => {
            toast("good", `Saved ${name}`);
            await changed();
          }}
        />
      )}
      {measured && <QuotasDialog workspace={measured} onClose={() => setMeasured(undefined)} />}
      {deleting && (
        <DeleteByHandle
          title={`Delete ${deleting.name}?`}
          verb="Delete workspace"
          handle={deleting.handle}
          onClose={() => setDeleting(undefined)}
          onDelete={async (handle) => {
            await accountsClient.workspaces.delete(accountId, deleting.id, { handle });
            if (deleting.id === here?.workspace_id) leave();
            else await changed();
          }}
        >
          Its flows, runs, monitors and everything else in it are deleted. This cannot be undone.
        </DeleteByHandle>
      )}
    </>
  );
}

/** Where nothing is left one cannot stay. */
function leave(): void {
  forgetWorkspace();
  openPath("/account/workspaces");
}
