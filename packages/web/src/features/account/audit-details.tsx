import type { AuditEntry } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { exactly } from "../../lib/time.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Facts } from "../../ui/surface.tsx";
import { workspacesQuery } from "./account-queries.ts";

const LOOKS = { done: "COMPLETED", refused: "LATE", failed: "FAILED" } as const;
const WORDS = { done: "Succeeded", refused: "Denied", failed: "Failed" } as const;

export function ResultBadge({ result }: Pick<AuditEntry, "result">): JSX.Element {
  return <StateBadge type={LOOKS[result]} name={WORDS[result]} />;
}

/** One entry with all that is known of it. */
export function AuditDetails({
  accountId,
  entry,
  onClose,
}: {
  readonly accountId: string;
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}): JSX.Element {
  const workspaces = useQuery(workspacesQuery(accountId)).data ?? [];
  const workspace = workspaces.find(({ id }) => id === entry.workspace_id)?.name;
  const key = entry.api_key_prefix && <code>{entry.api_key_prefix}…</code>;
  return (
    <Dialog title={entry.operation} wide onClose={onClose}>
      <Facts
        items={[
          ["Time", exactly(entry.occurred)],
          ["Actor", `${entry.actor_name} (${entry.actor_kind})`],
          ["Key", key ?? "none (session)"],
          ["Result", <ResultBadge result={entry.result} />],
          ["Status", entry.status === null ? undefined : String(entry.status)],
          [
            "Request",
            <code>
              {entry.method} {entry.route}
            </code>,
          ],
          ["Permission", entry.permission],
          ["Workspace", workspace ?? (entry.workspace_id && <code>{entry.workspace_id}</code>)],
          ["Resource", entry.resource_name ?? entry.resource_id],
          [
            "Resource ID",
            entry.resource_name === null ? undefined : <code>{entry.resource_id}</code>,
          ],
          ...Object.entries(entry.resource).map(
            ([name, value]) => [name, <code>{value}</code>] as const,
          ),
          ["IP address", <code>{entry.address}</code>],
          ["User agent", entry.user_agent],
          ["Request ID", <code>{entry.request_id}</code>],
        ]}
      />
      <div className="dialog__foot">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
