// A browser on its way to an OpenID provider and back.
import { expect } from "vitest";
import type { Browser } from "./browser.ts";
import { type AccountsServer, accountsServer, type DatabaseEngine } from "./guarded-server.ts";
import type { OpenIdProvider } from "./openid-provider.ts";

export const OIDC_START_PATH = "/api/auth/oidc/start";

export function serverWith(
  { issuer, clientId, clientSecret }: OpenIdProvider,
  engine: DatabaseEngine,
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
export async function redirectToProvider(browser: Browser, query = ""): Promise<string> {
  const answer = await browser.call("GET", OIDC_START_PATH + query);
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

/** Where the browser ends up when it comes back from the provider. */
export async function returnFromProvider(browser: Browser, address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const answer = await browser.call("GET", pathname + search);
  expect(answer).toMatchObject({ status: 302 });
  return answer.headers.get("location") ?? "";
}

export async function signInWithOpenId(
  browser: Browser,
  provider: OpenIdProvider,
  query = "",
): Promise<string> {
  return returnFromProvider(
    browser,
    await provider.signIn(await redirectToProvider(browser, query)),
  );
}
