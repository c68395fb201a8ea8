// What the tests of a file share: a browser, and a server with things to look at.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type ServerEnv, startReadyServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { type BrowserAccountsServer, signInByKey, startAccountsServer } from "./accounts-server.ts";
import type { FilledRecords } from "./fill.ts";
import { filledFolder } from "./filled-folder.ts";
import { openPage, sharedBrowser, type WatchedPage } from "./open-page.ts";
import type { ProfileOptions } from "./profiles.ts";

interface Served extends AsyncDisposable {
  readonly url: string;
}

interface Place<Server extends Served> {
  readonly browser: Browser;
  readonly server: Server;
  /** A page of the server, in a browser that nobody has used before. */
  readonly open: (path: string, options?: ProfileOptions) => Promise<WatchedPage>;
}

/** The server is started before the first test and stopped after the last. */
export function sharedPlace<Server extends Served>(start: () => Promise<Server>): Place<Server> {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    browser = await sharedBrowser();
    server = await start();
  });
  afterAll(() => server[Symbol.asyncDispose]());
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

interface AccountsPlace extends Place<BrowserAccountsServer> {
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
  readonly filled: FilledRecords;
}

export const sharedFilled = (): Place<FilledServer> => sharedPlace(() => startFilledServer());

/** On a copy of the data that all files begin with. */
export async function startFilledServer(env: ServerEnv = {}): Promise<FilledServer> {
  const { home, filled } = await filledFolder();
  return { ...(await startIn(home, env)), filled };
}

export const startEmptyServer = async (env: ServerEnv = {}): Promise<Served> =>
  startIn(await temporaryFolder(), env);

/** The folder goes with the server. */
async function startIn(home: TemporaryFolder, env: ServerEnv): Promise<Served> {
  const server = await startReadyServer({ home: home.path, env });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
