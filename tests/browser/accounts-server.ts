// A server with accounts, and what people do to get in.
import type { Browser, Page } from "playwright-core";
import {
  ACCOUNTS_MODE_ENV,
  type ServerEnv,
  type ServerProcess,
  startReadyServer,
} from "../support/server-process.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { openPage, type WatchedPage } from "./open-page.ts";

export interface BrowserAccountsServer extends AsyncDisposable {
  readonly url: string;
  /** The key of the owner, as the first start printed it. */
  readonly key: string;
  readonly accountId: string;
  /** Asks the API as the owner, in the first workspace unless the path names another. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

export async function startAccountsServer(more: ServerEnv = {}): Promise<BrowserAccountsServer> {
  const home: TemporaryFolder = await temporaryFolder();
  // What browsers reach is a proxy, which can be there, and be named, before the server has a port.
  let port = 0;
  const proxy = await startTcpProxy(() => port);
  const url = `http://127.0.0.1:${proxy.port}`;
  const env = { ...ACCOUNTS_MODE_ENV, ORCHESTRATOR_AUTH_PUBLIC_URL: url, ...more };
  const server: ServerProcess = await startReadyServer({ home: home.path, env });
  port = Number(new URL(server.url).port);
  const printed = server.stdout();
  const key = /Owner key +(\S+)/.exec(printed)?.[1] ?? "";
  const accountId = /accounts\/([\da-f-]{36})\//.exec(printed)?.[1] ?? "";
  return {
    url,
    key,
    accountId,
    async ask(method, path, body) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

export const buttonOf = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });

export const heading = (page: Page, name: string) =>
  page.getByRole("heading", { name, exact: true, level: 1 });

export async function signInByKey(page: Page, key: string): Promise<void> {
  await buttonOf(page, "Use an API key").click();
  await page.getByLabel("API key").fill(key);
  await buttonOf(page, "Sign in").click();
}

export async function signInByPassword(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await buttonOf(page, "Sign in").click();
}

/** Invites somebody as the owner, and joins as them in a browser of their own. */
export async function inviteAndJoin(
  browser: Browser,
  { accountId, ask }: BrowserAccountsServer,
  person: { readonly name: string; readonly email: string; readonly role: string },
): Promise<WatchedPage> {
  const { email, role, name } = person;
  const { body } = await ask("POST", `/accounts/${accountId}/invitations`, { email, role });
  const watched = await openPage(browser, body["link"] ?? "");
  const { page } = watched;
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Choose a password").fill("a horse that is correct");
  await buttonOf(page, "Accept").click();
  await heading(page, "Dashboard").waitFor();
  return watched;
}
