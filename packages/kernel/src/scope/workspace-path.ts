import type { IncomingMessage } from "node:http";

/** A workspace as an address names it. */
export interface NamedWorkspace {
  readonly accountId: string;
  readonly workspaceId: string;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/**
 * What stands behind it belongs to the workspace; with nothing behind it the address is the
 * workspace itself, and its quotas are a part of that.
 */
const NAMED = new RegExp(
  `^((?:/[^?/]+){0,2})/accounts/(${UUID})/workspaces/(${UUID})(/(?!quotas(?:[/?]|$))[^?].*)$`,
  "i",
);

/** The address without the workspace it names, so that one set of routes serves both kinds. */
export function plainUrl({ url = "/" }: IncomingMessage): string {
  if (!url.includes("/accounts/")) return url;
  const [, before, , , behind] = NAMED.exec(url) ?? [];
  return behind === undefined ? url : `${before}${behind}`;
}

/** The workspace that the address names, if it names one. */
export function namedWorkspace(raw: IncomingMessage): NamedWorkspace | null {
  const { originalUrl } = raw as { readonly originalUrl?: string };
  if (originalUrl === undefined || originalUrl === raw.url) return null;
  const [, , accountId, workspaceId] = NAMED.exec(originalUrl) ?? [];
  if (accountId === undefined || workspaceId === undefined) return null;
  return { accountId: accountId.toLowerCase(), workspaceId: workspaceId.toLowerCase() };
}
