// What the tests of a file share: a browser, and a server with things to look at.
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type AccountsServer, signInByKey, startAccountsServer } from "./accounts-server.ts";
import { type Filled, fill } from "./fill.ts";
import { openBrowser, openPage, type WatchedPage } from "./open-page.ts";

interface Served extends AsyncDisposable {
  readonly url: string;
}

interface Place<Server extends Served> {
  readonly browser: Browser;
  readonly server: Server;
  /** A page of the server, in a browser that nobody has used before. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<WatchedPage>;
}

/** The server is started before the first test and stopped after the last. */
function sharedPlace<Server extends Served>(start: () => Promise<Server>): Place<Server> {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    browser = await openBrowser();
    server = await start();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  return {
    get browser() {
      return browser;
    },
    get server() {
      return server;
    },
    open: (path, options) => openPage(browser, `${server.url}${path}`, options),
  };
}

interface AccountsPlace extends Place<AccountsServer> {
  /** The owner, at a page of the first workspace. */
  readonly openAsOwner: (path: string) => Promise<WatchedPage>;
}

export function sharedAccounts(): AccountsPlace {
  const place = sharedPlace(() => startAccountsServer());
  const openAsOwner = async (path: string): Promise<WatchedPage> => {
    const watched = await place.open(path);
    await signInByKey(watched.page, place.server.key);
    return watched;
  };
  return Object.assign(place, { openAsOwner });
}

interface FilledServer extends Served {
  readonly filled: Filled;
}

export const sharedFilled = (): Place<FilledServer> =>
  sharedPlace(async () => {
    const home = await temporaryFolder();
    const server = await startServer({ home: home.path });
    const filled = await fill(server.url);
    return {
      url: server.url,
      filled,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await home[Symbol.asyncDispose]();
      },
    };
  });
