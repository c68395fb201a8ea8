import { useQuery } from "@tanstack/react-query";
import { type JSX, type ReactNode, useEffect } from "react";
import { RoleContext } from "../../api/rights.ts";
import {
  accountIn,
  type BrowserSession,
  sessionQuery,
  signOut,
  workspaceIn,
} from "../../api/session.ts";
import { isNamed, plainPath, prefixOf, storeWorkspace } from "../../api/workspace.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { NoticeBox } from "../../ui/surface.tsx";
import { toastError } from "../../ui/toasts.tsx";
import { BarePage } from "./bare-page.tsx";
import { FirstWorkspace } from "./first-workspace.tsx";

/**
 * Shows what is inside to whoever has signed in and is in a workspace of theirs. Others are led to
 * where they can do so.
 */
export function SignedIn({ children }: { readonly children: ReactNode }): JSX.Element {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (session === undefined && error)
    return (
      <BarePage title="Could not load your session">
        <div className="stack">
          <NoticeBox kind="error">{errorText(error)}</NoticeBox>
          <Button icon="retry" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      </BarePage>
    );
  if (session === undefined) return <main className="page" id="main" aria-busy="true" />;
  const role = accountIn(session)?.role ?? session.me.role;
  return (
    <RoleContext value={role}>
      <InWorkspace session={session}>{children}</InWorkspace>
    </RoleContext>
  );
}

function InWorkspace({
  session,
  children,
}: {
  readonly session: BrowserSession;
  readonly children: ReactNode;
}): JSX.Element {
  const current = workspaceIn(session);
  const [first] = session.workspaces;
  // One that was only remembered may have been somebody else's.
  const other = current === undefined && !isNamed ? first : undefined;
  useEffect(() => {
    if (current !== undefined) storeWorkspace(current);
    if (other !== undefined)
      location.replace(`${prefixOf(other)}${plainPath(location.pathname)}${location.search}`);
  }, [current, other]);
  if (current !== undefined) return <>{children}</>;
  if (other !== undefined) return <main className="page" id="main" aria-busy="true" />;
  if (first === undefined) return <FirstWorkspace session={session} />;
  return <Elsewhere session={session} />;
}

/** A link into a workspace that is not theirs, or no longer there. */
function Elsewhere({
  session: { me, workspaces },
}: {
  readonly session: BrowserSession;
}): JSX.Element {
  return (
    <BarePage
      title="Workspace not found"
      about={`${me.email ?? me.name} has no access to a workspace at this address.`}
    >
      <div className="stack">
        <p>Ask one of its admins for an invitation, or open one of your workspaces:</p>
        <ul className="bare__list">
          {workspaces.map((mine) => (
            <li key={mine.workspace_id}>
              <a className="row" href={prefixOf(mine)}>
                <Icon name="right" size={12} /> {mine.account_name} / {mine.workspace_name}
              </a>
            </li>
          ))}
        </ul>
        <Button icon="leave" onClick={() => void signOut().catch(toastError)}>
          Sign in as another user
        </Button>
      </div>
    </BarePage>
  );
}
