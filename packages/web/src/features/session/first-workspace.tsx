import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { useMay } from "../../api/rights.ts";
import { accountIn, type BrowserSession, signOut } from "../../api/session.ts";
import { openPath } from "../../api/sign-in.ts";
import { prefixOf } from "../../api/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { toastError } from "../../ui/toasts.tsx";
import { WorkspaceDialog } from "../account/workspace-dialog.tsx";
import { BarePage } from "./bare-page.tsx";

/** There is nothing to be in yet. */
export function FirstWorkspace({ session }: { readonly session: BrowserSession }): JSX.Element {
  const [isMaking, setMaking] = useState(false);
  const queries = useQueryClient();
  const mayMake = useMay("manage");
  const account = accountIn(session);
  return (
    <BarePage
      title="No workspace yet"
      about={`${account?.account_name ?? "The account"} has no workspace that you can access.`}
    >
      <div className="stack">
        <p>
          {mayMake
            ? "Flows, runs and monitors live in workspaces. Create the first one."
            : "Ask an admin of the account for access."}
        </p>
        {mayMake && (
          <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
            New workspace
          </Button>
        )}
        <Button icon="leave" onClick={() => void signOut().catch(toastError)}>
          Sign out
        </Button>
      </div>
      {isMaking && (
        <WorkspaceDialog
          accountId={account?.account_id ?? session.me.account_id}
          onClose={() => setMaking(false)}
          onSaved={async ({ account_id, id }) => {
            await queries.invalidateQueries();
            openPath(prefixOf({ account_id, workspace_id: id }));
          }}
        />
      )}
    </BarePage>
  );
}
