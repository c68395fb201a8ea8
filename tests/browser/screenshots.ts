// Pictures of every page in both themes and two widths, of an empty server and a full one. Started
// by `npm run screenshots`.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type ServerProcess, startReadyServer } from "../support/server-process.ts";
import { startSwitchedTarget } from "../support/switched-target.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { heading, signInByKey, startAccountsServer } from "./accounts-server.ts";
import { fillServer, makeAt } from "./fill.ts";
import { fillAccount } from "./fill-account.ts";
import { fillCompany } from "./fill-company.ts";
import { ACCOUNT, fillMonitors, UPTIME_ENV } from "./fill-monitors.ts";
import { fillPast } from "./fill-past.ts";
import { fillRich } from "./fill-rich.ts";
import { hasBrowser, openBrowser } from "./open-page.ts";
import { monitorPagePaths, PAGES, PAGES_OF_ACCOUNTS, pagesOfRuns } from "./page-list.ts";

const THEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 390] as const;
const HEIGHT = 900;
/** Long lists are cut. */
const HIGHEST = 2400;

/** `only` is a part of the address that a page must have. */
export async function takeScreenshots(folder: string, only = ""): Promise<number> {
  if (!hasBrowser) throw new Error("There is no browser to take pictures with");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const browser = await openBrowser();
  try {
    return (
      (await shootEmpty(browser, folder, only)) +
      (await shootFull(browser, folder, only)) +
      (await shootAccounts(browser, folder, only))
    );
  } finally {
    await browser.close();
  }
}

async function shootEmpty(browser: Browser, folder: string, only: string): Promise<number> {
  await using home = await temporaryFolder();
  await using server = await startReadyServer({ home: home.path, env: UPTIME_ENV });
  const paths = PAGES.filter((path) => path.includes(only));
  return await shootAll(browser, server, {
    paths,
    file: (name) => join(folder, `empty-${name}.png`),
  });
}

async function shootFull(browser: Browser, folder: string, only: string): Promise<number> {
  await using home = await temporaryFolder();
  await using target = await startSwitchedTarget();
  const all = await fillAll(home.path, target.url);
  await using server = await startReadyServer({ home: home.path, env: UPTIME_ENV });
  const paths = all.filter((path) => path.includes(only));
  const file = (name: string) => join(folder, `full-${name}.png`);
  return await shootAll(browser, server, { paths, file });
}

/** Makes what there is to see; the server that it was made with is gone then. */
async function fillAll(home: string, target: string): Promise<string[]> {
  await using server = await startReadyServer({ home, env: UPTIME_ENV });
  const filled = await fillServer(server.url);
  await fillCompany(makeAt(server.url), filled);
  const monitors = await fillMonitors(server.url, target);
  const rich = await fillRich(server.url, makeAt(server.url), { filled, monitors });
  await server[Symbol.asyncDispose]();
  await fillPast(
    home,
    monitors.monitors.map(({ id }) => id),
  );
  return [...PAGES, ...pagesOfRuns(filled), ...monitorPagePaths(monitors), ...rich];
}

/** What there is only where everybody signs in. */
async function shootAccounts(browser: Browser, folder: string, only: string): Promise<number> {
  const paths = PAGES_OF_ACCOUNTS.filter((path) => path.includes(only));
  if (paths.length === 0) return 0;
  await using server = await startAccountsServer();
  await fillAccount(server);
  return await shootAll(browser, server, {
    paths,
    file: (name) => join(folder, `accounts-${name}.png`),
    async enter(page) {
      await page.goto(`${server.url}/settings`);
      await signInByKey(page, server.key);
      await heading(page, "Settings").waitFor();
    },
  });
}

interface Shots {
  readonly enter?: (page: Page) => Promise<void>;
  readonly paths: readonly string[];
  readonly file: (name: string) => string;
}

async function shootAll(
  browser: Browser,
  { url }: Pick<ServerProcess, "url">,
  { paths, file, enter = (page) => logIn(page, url) }: Shots,
): Promise<number> {
  let taken = 0;
  for (const width of WIDTHS) {
    const context = await browser.newContext({ viewport: { width, height: HEIGHT } });
    const page = await context.newPage();
    await enter(page);
    const names = new Set<string>();
    for (const path of paths) {
      // Two things of one kind have addresses of one form.
      let name = nameOf(path);
      while (names.has(name)) name += "-other";
      names.add(name);
      await page.setViewportSize({ width, height: HEIGHT });
      await page.goto(`${url}${path}`);
      await page.locator("h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      const height = await page.evaluate("document.documentElement.scrollHeight");
      await page.setViewportSize({ width, height: Math.min(Number(height), HIGHEST) });
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.screenshot({ path: file(`${name}-${colorScheme}-${width}`) });
        taken += 1;
      }
    }
    await context.close();
  }
  return taken;
}

async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/monitors`);
  await page.getByLabel("Username").fill(ACCOUNT.username);
  await page.getByLabel("Password").fill(ACCOUNT.password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("button", { name: "Log out", exact: true }).waitFor();
}

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** `/runs/<id>?tab=logs` → `runs-id-tab-logs`. */
const nameOf = (path: string): string =>
  path
    .replace(ID, "id")
    .replaceAll(/[^\w]+/g, "-")
    .replaceAll(/^-|-$/g, "");
