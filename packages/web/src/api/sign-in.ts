// How the page is known to the server. In mode `accounts` that is a cookie which no script can
// read. In mode `password` it is the one secret, kept for this tab alone and until it is closed.

import type { ClientOptions } from "@orchestrator/client";
import { authMode } from "./auth-mode.ts";
import { isOutside } from "./workspace.ts";

const SECRET = "auth-string";
const UNAUTHORIZED = 401;

type Access = Pick<ClientOptions, "apiKey" | "basic" | "credentials" | "fetch">;

/**
 * The browser has a dialogue of its own for a refusal; it does not ask where its own credentials
 * are left out.
 */
const WITHOUT: Access = { credentials: "omit" };

/** What every request of the page carries with it. */
export const access: Access = accessOf();

function accessOf(): Access {
  if (authMode === "open") return {};
  if (authMode === "accounts") return { fetch: guarded };
  const secret = sessionStorage.getItem(SECRET);
  return { ...(secret === null ? WITHOUT : accessBy(secret)), fetch: guarded };
}

/** The secret is usually `user:password`. */
export function accessBy(secret: string): Access {
  const colon = secret.indexOf(":");
  if (colon < 0) return { ...WITHOUT, apiKey: secret };
  const basic = { username: secret.slice(0, colon), password: secret.slice(colon + 1) };
  return { ...WITHOUT, basic };
}

export const hasSecret = (): boolean => sessionStorage.getItem(SECRET) !== null;
export const keepSecret = (secret: string): void => sessionStorage.setItem(SECRET, secret);
export const forgetSecret = (): void => sessionStorage.removeItem(SECRET);

/** Whoever is not known any more is led to where one signs in, and back afterwards. */
async function guarded(...asked: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...asked);
  if (response.status === UNAUTHORIZED) leadToSignIn();
  return response;
}

let isLeaving = false;

/** Whoever signs out is done here: no request that is still under way leads back to this page. */
export async function runSignOut(end: () => Promise<unknown>): Promise<void> {
  isLeaving = true;
  try {
    await end();
  } catch (error) {
    isLeaving = false;
    throw error;
  }
  openPath("/login");
}

function leadToSignIn(): void {
  const { pathname, search } = location;
  if (isLeaving || isOutside(pathname)) return;
  location.replace(`/login?next=${encodeURIComponent(pathname + search)}`);
}

/** Where to go after signing in: a page of ours, whatever the address says. */
export function nextAfter(search: URLSearchParams): string {
  const given = search.get("next") ?? "/";
  if (!given.startsWith("/") || !URL.canParse(given, location.origin)) return "/";
  const next = new URL(given, location.origin);
  const isOurs = next.origin === location.origin && next.pathname !== "/login";
  return isOurs ? `${next.pathname}${next.search}` : "/";
}

/** Nothing that was shown stays in memory. */
export function openPath(path: string): void {
  location.assign(path);
}
