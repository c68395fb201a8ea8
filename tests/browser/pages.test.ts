// Every page of the web UI in a real browser, with nothing to show and with something.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { fill } from "./fill.ts";
import { barriersInBothThemes, hasBrowser, openBrowser, openPage } from "./open-page.ts";
import { PAGES } from "./page-list.ts";

describe.skipIf(!hasBrowser)("the web UI", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  for (const state of ["empty", "full"] as const) {
    describe(`of a server that is ${state}`, () => {
      let home: TemporaryFolder;
      let server: ServerProcess;
      beforeAll(async () => {
        home = await temporaryFolder();
        server = await startServer({ home: home.path });
        if (state === "full") await fill(server.url);
      });
      afterAll(async () => {
        await server[Symbol.asyncDispose]();
        await home[Symbol.asyncDispose]();
      });

      for (const path of PAGES) {
        test(`shows ${path} in both themes without a complaint`, async () => {
          await using watched = await openPage(browser, `${server.url}${path}`);
          const { page, complaints } = watched;
          expect(await barriersInBothThemes(page)).toEqual([]);
          expect(complaints).toEqual([]);
        });
      }
    });
  }
});
