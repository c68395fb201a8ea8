// The workspace stands in front of every address, as it does in those of the API, so that a link
// leads whoever follows it into the same one. Another workspace is another load of the page:
// nothing of this one is left in memory then.

import { authMode } from "./auth-mode.ts";

const KEY = "workspace";
const NAMED = /^\/accounts\/([\da-f-]{36})\/workspaces\/([\da-f-]{36})(?=\/|$)/i;
/** Where nobody is in a workspace yet. */
const OUTSIDE = /^\/(?:login|invitation)$/;

export interface WorkspaceIds {
  readonly account_id: string;
  readonly workspace_id: string;
}

export const isOutside = (pathname: string): boolean => OUTSIDE.test(pathname);

/** What stands in front of the addresses of a workspace. */
export const prefixOf = ({ account_id, workspace_id }: WorkspaceIds): string =>
  `/accounts/${account_id}/workspaces/${workspace_id}`;

/** Whether the address named the workspace; else it is the one that was used last here. */
export const isNamed = NAMED.test(location.pathname);
if (!isNamed && authMode === "accounts" && !isOutside(location.pathname)) takeUpLast();

const [found = "", account_id = "", workspace_id = ""] = NAMED.exec(location.pathname) ?? [];

/** Null where the address names none. */
export const workspace: WorkspaceIds | null =
  found === ""
    ? null
    : { account_id: account_id.toLowerCase(), workspace_id: workspace_id.toLowerCase() };

const FIRST = "00000000-0000-0000-0000-000000000000";

/** Whether it is the one whose public pages are those of the whole server. */
export const isFirst = workspace === null || workspace.workspace_id === FIRST;

/** Empty where the address names none. */
export const workspacePrefix = found;

/** A path of this application, below the workspace. */
export const inWorkspace = (to: string): string => `${workspacePrefix}${to}`;

/** The path without the workspace. */
export function plainPath(pathname: string): string {
  const rest = pathname.replace(NAMED, "");
  return rest === "" ? "/" : rest;
}

export function storeWorkspace(ids: WorkspaceIds): void {
  localStorage.setItem(KEY, prefixOf(ids));
}

export function forgetWorkspace(): void {
  localStorage.removeItem(KEY);
}

function takeUpLast(): void {
  const last = localStorage.getItem(KEY);
  if (last === null || !NAMED.test(last)) return;
  history.replaceState(null, "", `${last}${location.pathname}${location.search}${location.hash}`);
}
