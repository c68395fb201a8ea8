import type { MyWorkspace } from "@orchestrator/contract";
import type { JSX } from "react";
import { accountIn, useBrowserSession, workspaceIn } from "../../api/session.ts";
import { prefixOf } from "../../api/workspace.ts";
import { PageLink } from "../../navigation/link.tsx";
import { useAddress } from "../../navigation/location.ts";
import { Icon } from "../../ui/icons.tsx";
import { Menu } from "../../ui/menu.tsx";

/** Says which workspace this is, and leads to the others, there to the same kind of page. */
export function WorkspaceSwitcher(): JSX.Element | null {
  const session = useBrowserSession();
  const { pathname } = useAddress();
  if (session === undefined) return null;
  const current = workspaceIn(session);
  const role = accountIn(session)?.role;
  return (
    <Menu
      label="Workspaces"
      button={
        <>
          <Icon name="layers" />
          <span className="menu__words">
            <span>{current?.workspace_name ?? "No workspace"}</span>
            <span>
              {current?.account_name}
              {role && ` · ${role}`}
            </span>
          </span>
          <Icon name="chevron" size={14} />
        </>
      }
    >
      {byAccount(session.workspaces).map(([account, workspaces]) => (
        <div key={account} role="group" aria-label={account}>
          <div className="menu__head">{account}</div>
          {workspaces.map((workspace) => (
            <a
              key={workspace.workspace_id}
              role="menuitem"
              href={`${prefixOf(workspace)}/${sectionOf(pathname)}`}
              aria-current={workspace === current ? "true" : undefined}
            >
              <Icon name={workspace === current ? "check" : "right"} size={13} />
              {workspace.workspace_name}
            </a>
          ))}
        </div>
      ))}
      <div className="menu__line" role="separator" />
      <PageLink role="menuitem" to="/account/workspaces">
        <Icon name="settings" size={13} /> All workspaces
      </PageLink>
    </Menu>
  );
}

/** Where there is no room for more than a name. */
export function WhereName(): JSX.Element {
  const session = useBrowserSession();
  const current = session && workspaceIn(session);
  return <span className="where">{current?.workspace_name ?? "Orchestrator"}</span>;
}

/** What stands in one workspace is not in another; the lists are. */
const sectionOf = (pathname: string): string => pathname.split("/")[1] ?? "";

function byAccount(
  workspaces: readonly MyWorkspace[],
): readonly (readonly [string, readonly MyWorkspace[]])[] {
  const groups = new Map<string, MyWorkspace[]>();
  for (const workspace of workspaces)
    groups.set(workspace.account_name, [...(groups.get(workspace.account_name) ?? []), workspace]);
  return [...groups];
}
