// What a page does while its server is away, and when it is back.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startReadyServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { barriersOf } from "./barriers.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser, openPage, sharedBrowser } from "./open-page.ts";

describe.skipIf(!hasBrowser)("a page whose server is away", () => {
  let browser: Browser;
  let home: TemporaryFolder;
  let server: ServerProcess;
  beforeAll(async () => {
    browser = await sharedBrowser();
    home = await temporaryFolder();
    server = await startReadyServer({ home: home.path });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  const stop = () => server[Symbol.asyncDispose]();
  const startAgain = async () => {
    const port = new URL(server.url).port;
    server = await startReadyServer({ home: home.path, flags: ["--port", port] });
  };

  test("says so, and shows what has changed when it is back", async () => {
    await using watched = await openPage(browser, `${server.url}/variables`);
    const { page } = watched;
    await page.getByText("No variables yet").waitFor();
    const away = page.getByRole("alert").filter({ hasText: "No answer from the server since" });
    expect(await away.count()).toBe(0);
    await stop();
    await away.waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await startAgain();
    await makeAt(server.url)("/variables/", { name: "meanwhile", value: "made" });
    await away.waitFor({ state: "detached" });
    await page.getByText("meanwhile", { exact: true }).waitFor();
  });

  test("gives another page by itself, once the server can send it", async () => {
    await using watched = await openPage(browser, `${server.url}/variables`);
    const { page } = watched;
    await page.getByText("meanwhile", { exact: true }).waitFor();
    await stop();
    await page.getByRole("link", { name: "Events", exact: true }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    await startAgain();
    await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();
  });
});
