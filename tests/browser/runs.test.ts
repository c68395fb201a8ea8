// What people do with runs, in a real browser.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { type Filled, fill } from "./fill.ts";
import { barriersOf, hasBrowser, openBrowser, openPage } from "./open-page.ts";

describe.skipIf(!hasBrowser)("a person at the web UI", () => {
  let browser: Browser;
  let home: TemporaryFolder;
  let server: ServerProcess;
  let filled: Filled;
  beforeAll(async () => {
    browser = await openBrowser();
    home = await temporaryFolder();
    server = await startServer({ home: home.path });
    filled = await fill(server.url);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const send = async (path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${server.url}/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
  };

  test("runs a deployment with parameters, sees why it waits, watches its log arrive and cancels it", async () => {
    await using watched = await openPage(
      browser,
      `${server.url}/deployments/${filled.deployment.id}`,
    );
    const { page, complaints } = watched;
    await button(page, "Run").click();
    await page.getByLabel("Source *").fill("lake");
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.getByText("Why is it not running?").waitFor();
    await page.getByText("The work pool local has never had a worker").waitFor();

    const id = page.url().split("/").at(-1) ?? "";
    for (const type of ["PENDING", "RUNNING"])
      await send(`/flow_runs/${id}/set_state`, { state: { type } });
    await page.locator(".page__title").getByText("Running").waitFor();
    await page.getByRole("tab", { name: "Logs" }).click();
    await page.getByText("No lines yet").waitFor();
    await send("/logs/", [
      {
        name: "orchestrator.flow_runs",
        level: 20,
        message: "rows are being read",
        timestamp: new Date().toISOString(),
        flow_run_id: id,
      },
    ]);
    await page.getByText("rows are being read").waitFor();
    await page.getByRole("tab", { name: "Parameters" }).click();
    await page.getByText('"source": "lake"').waitFor();

    await button(page, "Cancel").click();
    await page
      .locator(".page__title")
      .getByText(/Cancel/)
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test("narrows the list of runs, and the address says how", async () => {
    await using watched = await openPage(browser, `${server.url}/runs`);
    const { page } = watched;
    await page.getByLabel("State").selectOption("FAILED");
    await page.waitForURL(/states=FAILED/);
    await page.getByText("5 runs").waitFor();
    expect(await page.locator("td .state").allTextContents()).toEqual(Array(5).fill("Failed"));
    await page.reload();
    await page.getByText("5 runs").waitFor();
  });

  test("deletes the runs that were picked, after being asked", async () => {
    await using watched = await openPage(browser, `${server.url}/runs?states=CRASHED`);
    const { page } = watched;
    await page.getByText("5 runs").waitFor();
    await page.getByLabel("Pick every run on this page").check();
    await button(page, "Delete").click();
    await button(page, "Delete 5 runs").click();
    await page.getByText("No run matches").waitFor();
  });

  test("finds a page by a few letters", async () => {
    await using watched = await openPage(browser, `${server.url}/dashboard`);
    const { page } = watched;
    await page.locator("main h1").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("nightly");
    await page.getByRole("option", { name: "nightly-import" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/flows\//);
  });

  test.each([
    ["a run", ({ runs }: Filled) => `/runs/${runs[3]?.id}`],
    ["its log", ({ runs }: Filled) => `/runs/${runs[0]?.id}?tab=logs`],
    ["its states", ({ runs }: Filled) => `/runs/${runs[0]?.id}?tab=states`],
    [
      "two runs beside each other",
      ({ runs }: Filled) => `/runs/compare?a=${runs[0]?.id}&b=${runs[3]?.id}`,
    ],
    ["a flow", ({ flow }: Filled) => `/flows/${flow.id}`],
    ["a deployment", ({ deployment }: Filled) => `/deployments/${deployment.id}`],
    ["a work pool", ({ pool }: Filled) => `/work-pools/${pool.name}`],
  ])("looks at %s without a barrier in either theme", async (_, pathOf) => {
    await using watched = await openPage(browser, `${server.url}${pathOf(filled)}`);
    const { page, complaints } = watched;
    await page.locator("main h1").waitFor();
    await page.waitForLoadState("networkidle");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`[data-theme=${colorScheme}]`).waitFor();
      expect(await barriersOf(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
});
