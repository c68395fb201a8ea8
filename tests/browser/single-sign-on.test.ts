// Signing in through an OpenID provider, in a real browser.

import { type OpenIdProvider, openIdProvider } from "@orchestrator/server/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BrowserAccountsServer,
  buttonOf,
  heading,
  signInByPassword,
  startAccountsServer,
} from "./accounts-server.ts";
import { hasBrowser, openPage, sharedBrowser } from "./open-page.ts";

describe.skipIf(!hasBrowser)("a person whom a provider knows", () => {
  let browser: Browser;
  let provider: OpenIdProvider;
  let server: BrowserAccountsServer;
  beforeAll(async () => {
    browser = await sharedBrowser();
    provider = await openIdProvider();
    server = await startAccountsServer({
      ORCHESTRATOR_AUTH_OIDC_ISSUER: provider.issuer,
      ORCHESTRATOR_AUTH_OIDC_CLIENT_ID: provider.clientId,
      ORCHESTRATOR_AUTH_OIDC_CLIENT_SECRET: provider.clientSecret,
      ORCHESTRATOR_AUTH_OIDC_NAME: "Example ID",
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  const person = (sub: string) => ({
    sub,
    email: `${sub}@example.com`,
    email_verified: true,
    name: sub,
  });

  test("signs in with it once they are invited, and is back where they wanted to go", async () => {
    provider.person = person("ada");
    await using watched = await openPage(browser, `${server.url}/variables?text=x`);
    const { page } = watched;
    await page.getByRole("link", { name: "Continue with Example ID" }).click();
    await page.getByRole("alert").getByText("You have no invitation yet").waitFor();
    const invitation = { email: "ada@example.com", role: "developer" };
    await server.ask("POST", `/accounts/${server.accountId}/invitations`, invitation);
    await page.goto(`${server.url}/variables?text=x`);
    await page.getByRole("link", { name: "Continue with Example ID" }).click();
    await heading(page, "Variables").waitFor();
    expect(new URL(page.url()).search).toBe("?text=x");
    await buttonOf(page, /ada@example\.com/).waitFor();
  });

  test("connects it to the user they are already, and signs in with it from then on", async () => {
    provider.person = person("grace");
    const grace = { email: "grace@example.org", password: "correct horse battery" };
    await server.ask("PATCH", "/me", { email: grace.email });
    await server.ask("POST", "/me/password", { new_password: grace.password });
    await using watched = await openPage(browser, `${server.url}/profile`);
    const { page } = watched;
    await signInByPassword(page, grace);
    await page.getByRole("link", { name: "Connect Example ID" }).click();
    await page.getByText("You can sign in with Example ID").waitFor();
    await using other = await openPage(browser, `${server.url}/account`);
    await other.page.getByRole("link", { name: "Continue with Example ID" }).click();
    await other.page.getByText("Your role in it: owner").waitFor();
  });
});
