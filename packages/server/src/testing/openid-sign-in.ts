// A browser on its way to an OpenID provider and back.
import { expect } from "vitest";
import type { Browser } from "./browser.ts";
import { type AccountsServer, accountsServer, type Engine } from "./guarded-server.ts";
import type { OpenIdProvider } from "./openid-provider.ts";

export const START = "/api/auth/oidc/start";

export function serverWith(
  { issuer, clientId, clientSecret }: OpenIdProvider,
  engine: Engine,
  env: Readonly<Record<string, string>> = {},
): Promise<AccountsServer> {
  return accountsServer(engine, {
    ORCHESTRATOR_AUTH_OIDC_ISSUER: issuer,
    ORCHESTRATOR_AUTH_OIDC_CLIENT_ID: clientId,
    ORCHESTRATOR_AUTH_OIDC_CLIENT_SECRET: clientSecret,
    ORCHESTRATOR_AUTH_OIDC_NAME: "Example ID",
    ORCHESTRATOR_AUTH_OIDC_NEW_USERS: "anybody",
    ORCHESTRATOR_AUTH_OIDC_ROLE: "developer",
    ...env,
  });
}

/** Where the browser is sent: away to the provider. */
export async function leave(browser: Browser, query = ""): Promise<string> {
  const answer = await browser.call("GET", START + query);
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

/** Where the browser ends up when it comes back from the provider. */
export async function comeBack(browser: Browser, address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const answer = await browser.call("GET", pathname + search);
  expect(answer).toMatchObject({ status: 302 });
  return answer.headers.get("location") ?? "";
}

export async function signIn(
  browser: Browser,
  provider: OpenIdProvider,
  query = "",
): Promise<string> {
  return comeBack(browser, await provider.signIn(await leave(browser, query)));
}
