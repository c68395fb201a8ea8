// What people do with monitors, in a real browser.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReadyServer } from "../support/server-process.ts";
import { type SwitchedTarget, startSwitchedTarget } from "../support/switched-target.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { barriersInBothThemes, barriersOf } from "./barriers.ts";
import { ACCOUNT, fillMonitors, UPTIME_ENV } from "./fill-monitors.ts";
import { logIn } from "./log-in.ts";
import { hasBrowser, openPage, sharedBrowser } from "./open-page.ts";
import { monitorPagePaths } from "./page-list.ts";
import { sharedPlace, startEmptyServer } from "./shared-place.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe.skipIf(!hasBrowser)("a person who watches services", () => {
  const place = sharedPlace(() => startEmptyServer(UPTIME_ENV));
  let target: SwitchedTarget;
  beforeAll(async () => {
    target = await startSwitchedTarget();
  });
  afterAll(() => target[Symbol.asyncDispose]());

  test("looks at the pages of a server without monitors, in both themes without a complaint", () =>
    lookAt(PAGES));

  test("logs in and out, and nothing but the cookie opens the pages", async () => {
    await using watched = await place.open("/monitors");
    const { page } = watched;
    await page.getByLabel("Password").fill("not the password");
    await button(page, "Log in").click();
    await page.getByRole("alert").waitFor();
    await logIn(page);
    await page.getByText("No monitors yet").waitFor();
    const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage])");
    expect(kept).not.toContain(ACCOUNT.password);
    expect(await page.evaluate("document.cookie")).not.toContain("uptime_session");
    await page.reload();
    await button(page, "Log out").click();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect((await page.request.get(`${place.server.url}/uptime/api/monitors`)).status()).toBe(401);
  });

  test("expects a number, which keeps its digits when something else is changed", async () => {
    await using watched = await place.open("/monitors");
    const { page, complaints } = watched;
    await logIn(page);
    await page.getByRole("link", { name: "New monitor" }).click();
    await page.getByLabel("Address").fill(target.url);
    await page.getByLabel("Name", { exact: true }).fill("Orders");
    for (const [at, value] of ["12345678901234567890", "1.0"].entries()) {
      await button(page, "Add expectation").click();
      await page.getByLabel(`Path of expectation ${at + 1}`).fill("order");
      await page.getByLabel(`Value of expectation ${at + 1}`).fill(value);
    }
    await button(page, "Create monitor").click();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Tags").fill("shop");
    await button(page, "Save").click();
    await page.waitForURL(/\/monitors\/[0-9a-f-]{36}$/);
    const api = page.url().replace("/monitors/", "/uptime/api/monitors/");
    const stored = await (await page.request.get(api)).text();
    for (const part of ['"shop"', '"value":12345678901234567890', '"value":1.0'])
      expect(stored).toContain(part);
    expect(complaints.filter((line) => !line.includes("401"))).toEqual([]);
    // The page, which still looks at it, is told so.
    await page.request.delete(api);
  });

  test("tests an address, watches it, and sees it go down and come back", async () => {
    await using watched = await place.open("/monitors");
    const { page, complaints } = watched;
    await logIn(page);
    await page.getByRole("link", { name: "New monitor" }).click();
    await page.getByLabel("Address").fill(target.url);
    await page.getByLabel("Name", { exact: true }).fill("Little shop");
    await page.getByLabel("Tags").fill("web, prod");
    await page.getByLabel("Seconds between checks").fill("1");
    await page.getByText("The checks may take longer than the interval").waitFor();
    await button(page, "Test now").click();
    await page.getByText("200 OK").waitFor();

    await button(page, "Create monitor").click();
    await page.waitForURL(/\/monitors\/[0-9a-f-]{36}/);
    const state = page.locator(".page__title .state");
    await state.getByText("Up", { exact: true }).waitFor();
    target.isWell = false;
    await state.getByText("Down", { exact: true }).waitFor();
    await page.getByRole("alert").getByText("503 Service Unavailable").waitFor();
    target.isWell = true;
    await state.getByText("Up", { exact: true }).waitFor();

    await page.getByRole("tab", { name: "Incidents" }).click();
    await page.getByRole("cell", { name: "Recovered" }).waitFor();
    await button(page, "Acknowledge").click();
    await page.getByLabel("Note").fill("The cable was loose");
    await page.getByRole("dialog").getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("The cable was loose").waitFor();
    await page.getByRole("button", { name: /^Timeline of the incident/ }).click();
    const story = page.getByRole("dialog", { name: "Timeline" });
    await story.getByText("monitor Down").waitFor();
    await story.getByText(/^Resolved after/).waitFor();
    await story.getByRole("link", { name: "Little shop" }).waitFor();
    for (const tag of ["prod", "web"])
      await story.getByRole("link", { name: tag, exact: true }).waitFor();
    await story.getByText(`Acknowledged by ${ACCOUNT.username}`).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await button(page, "1 y").click();
    await page.waitForURL(/range=1y/);
    await page.getByText(/checks, p50 /).waitFor();

    await button(page, "Pause").click();
    await state.getByText("Paused").waitFor();
    await page.getByRole("link", { name: "Monitors", exact: true }).first().click();
    await page.getByRole("button", { name: "1 Paused" }).click();
    await page.waitForURL(/states=paused/);
    await page.getByRole("link", { name: "Little shop" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("sees which version of an instance ran when", async () => {
    await using watched = await place.open("/monitors");
    const { page, complaints } = watched;
    await logIn(page);
    await page.getByRole("link", { name: "New monitor" }).click();
    await page.getByLabel("Address").fill(target.url);
    await page.getByLabel("Name", { exact: true }).fill("Clinic");
    await page.getByRole("button", { name: /^Instance/ }).click();
    await button(page, "Create monitor").click();
    const versions = page.getByRole("region", { name: "Versions" });
    await versions.getByRole("cell", { name: "2.40.0" }).waitFor();
    target.version = "2.41.0";
    await button(page, "Check now").click();
    await versions.getByRole("cell", { name: "2.41.0" }).waitFor();
    expect(await versions.locator("tbody td:first-child strong").allTextContents()).toEqual([
      "2.41.0",
      "2.40.0",
    ]);
    expect(await versions.locator("tbody td:last-child").first().textContent()).toBe("now");
    expect(complaints).toEqual([]);
  });

  test("publishes a status page that everybody can read", async () => {
    await using watched = await place.open("/status-pages");
    const { page } = watched;
    await logIn(page);
    await button(page, "New page").click();
    await page.getByLabel("Title").fill("Little status");
    await button(page, "Create page").click();
    await button(page, "Add group").click();
    await page.getByLabel("Little shop").check();
    // Each group keeps its own tags, wherever it stands.
    await button(page, "Add group").click();
    const tags = page.getByLabel("Monitors with all of these tags");
    await tags.nth(0).fill("web");
    await tags.nth(1).fill("prod");
    await button(page, "Move group 2 up").click();
    expect(await tags.nth(0).inputValue()).toBe("prod");
    await button(page, "Remove group 1").click();
    expect(await tags.inputValue()).toBe("web");
    await button(page, "Save").click();
    await page.getByText("Saved Little status").waitFor();
    await button(page, "Publish").click();
    await page.getByRole("link", { name: "Open public page" }).waitFor();

    await using reader = await place.open("/uptime/status/little-status");
    await reader.page.getByRole("heading", { name: "Little status" }).waitFor();
    await reader.page.getByRole("heading", { name: "Little shop", exact: true }).waitFor();
    expect(await barriersOf(reader.page)).toEqual([]);
    expect(reader.complaints).toEqual([]);
  });

  test("plans a maintenance and ends it early", async () => {
    await using watched = await place.open("/maintenance");
    const { page } = watched;
    await logIn(page);
    await button(page, "New window").click();
    await page.getByLabel("Name", { exact: true }).fill("Database move");
    await page.getByLabel("All monitors, including future ones").check();
    await button(page, "Save").click();
    await page.getByRole("cell", { name: "In progress" }).waitFor();
    await button(page, "Finish now").click();
    await page.getByRole("cell", { name: "Ended", exact: true }).waitFor();
  });

  test("changes a window of a minute and a half, and looks for a monitor while at it", async () => {
    await using watched = await place.open("/maintenance");
    const { page } = watched;
    await logIn(page);
    const make = async (path: string, data: object) => {
      const headers = { origin: place.server.url };
      const made = await page.request.post(`${place.server.url}/uptime/api${path}`, {
        data,
        headers,
      });
      expect(made.status()).toBe(201);
    };
    for (const i of Array(9).keys())
      await make("/monitors", { name: `Door ${i}`, url: target.url, enabled: false });
    const recurring = { schedule: "0 3 * * SUN", duration: 90 };
    await make("/maintenance", { name: "Short one", tags: ["web"], ...recurring });
    await page.reload();
    await button(page, "Edit Short one").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Find a monitor").fill("Door 7");
    await dialog.getByLabel("Find a monitor").press("Enter");
    await dialog.getByLabel("Door 7").check();
    expect(await dialog.getByLabel("Duration (minutes)").inputValue()).toBe("1.5");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved Short one").waitFor();
  });

  test("looks at the pages of a server with monitors, in both themes without a complaint", async () => {
    const filled = await fillMonitors(place.server.url, target.url);
    const ofFilled = monitorPagePaths(filled).filter((path) => !path.startsWith("/uptime/"));
    await lookAt([...PAGES, ...ofFilled]);
  });

  const lookAt = async (paths: readonly string[]) => {
    await using watched = await place.open("/monitors");
    const { page, complaints } = watched;
    await logIn(page);
    for (const path of paths) {
      await page.goto(`${place.server.url}${path}`);
      expect({ path, barriers: await barriersInBothThemes(page) }).toEqual({ path, barriers: [] });
    }
    expect(complaints).toEqual([]);
  };
});

describe.skipIf(!hasBrowser)("the pages about monitors", () => {
  test("are not offered by a server without that service, and are all there is where it runs alone", async () => {
    const placesOf = async (services: string): Promise<string[]> => {
      await using home = await temporaryFolder();
      const flags = ["--services", services];
      await using server = await startReadyServer({ home: home.path, flags, env: UPTIME_ENV });
      await using watched = await openPage(await sharedBrowser(), server.url);
      const { page } = watched;
      await page.waitForLoadState("networkidle");
      const places = await page.locator("nav.side .nav").allTextContents();
      return places.map((text) => text.trim());
    };
    const orchestrator = await placesOf("orchestrator");
    expect(orchestrator).toContain("Runs");
    expect(orchestrator).not.toContain("Monitors");
    expect(await placesOf("uptime")).toEqual([
      "Monitors",
      "Incidents",
      "Maintenance",
      "Status pages",
      "API",
    ]);
  });
});

const PAGES = [
  "/dashboard",
  "/monitors",
  "/monitors/new",
  "/incidents",
  "/maintenance",
  "/status-pages",
];
