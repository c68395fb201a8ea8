// What holds for every page of the web UI: how much it asks for, how wide it is, how it is used
// without a mouse.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SwitchedTarget, startSwitchedTarget } from "../support/switched-target.ts";
import { retryUntil } from "../support/until.ts";
import { makeAt } from "./fill.ts";
import { fillCompany } from "./fill-company.ts";
import { type FilledMonitors, fillMonitors, UPTIME_ENV } from "./fill-monitors.ts";
import { fillRich } from "./fill-rich.ts";
import { logIn } from "./log-in.ts";
import { hasBrowser } from "./open-page.ts";
import { monitorPagePaths, PAGES, pagesOfRuns } from "./page-list.ts";
import { type Opened, opensOf } from "./recorded-requests.ts";
import { sharedPlace, startFilledServer } from "./shared-place.ts";

const MOST_REQUESTS = 6;
const MOST_SCRIPT = 250_000;
/** The names of tables that have to be scrolled to see their last column, where the buttons are. */
const CUT_TABLES = `[...document.querySelectorAll(".table-box")]
  .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.ariaLabel)`;

describe.skipIf(!hasBrowser)("every page of the web UI", () => {
  const place = sharedPlace(() => startFilledServer(UPTIME_ENV));
  let target: SwitchedTarget;
  let monitors: FilledMonitors;
  let rich: readonly string[];
  beforeAll(async () => {
    target = await startSwitchedTarget();
    const { url, filled } = place.server;
    await fillCompany(makeAt(url), filled);
    monitors = await fillMonitors(url, target.url);
    // What changes while a page is opened would be counted as what it takes.
    await retryUntil(async () => expect(await lateRuns(url)).toBeGreaterThan(0));
    rich = await fillRich(url, makeAt(url), { filled, monitors });
  });
  afterAll(() => target[Symbol.asyncDispose]());

  // A test for each: on a machine that is busy, all of them took more time than one may have.
  const parts = [
    ["those that are always there", () => PAGES],
    ["those about runs", () => pagesOfRuns(place.server.filled)],
    ["those about monitors", () => monitorPagePaths(monitors)],
    ["those with the most to show", () => rich],
  ] as const;
  const servedAt = async () =>
    Date.parse(
      /served-at" content="([^"]+)/.exec(await (await fetch(place.server.url)).text())?.[1] ?? "",
    );
  /** By the clock of the server. */
  const letPass = async (ms: number) => {
    const begun = await servedAt();
    await expect.poll(servedAt, { timeout: 10_000 }).toBeGreaterThan(begun + ms);
  };
  const focused = (page: Page) => page.evaluate("document.activeElement.textContent");

  test.each(parts)(
    "asks for little, of this server alone, and fits a phone: %s",
    async (_, paths) => {
      const phone = { viewport: { width: 390, height: 800 } };
      await using watched = await place.open("/monitors", phone);
      const { page } = watched;
      await logIn(page);
      const opens = opensOf(page);
      const findings: object[] = [];
      for (const path of paths()) {
        const opened = await opens(`${place.server.url}${path}`).catch((reason: unknown) => reason);
        // Which of them did not open is not in the error itself.
        if (opened instanceof Error) {
          findings.push({ path, failed: opened.message });
          continue;
        }
        const { requests, urls } = opened as Opened;
        const foreign = urls.filter((url) => !isOf(place.server.url, url));
        const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
        const cut = await page.evaluate<string[]>(CUT_TABLES);
        if (requests.length > MOST_REQUESTS || foreign.length + cut.length > 0 || width > 390)
          findings.push({ path, requests, foreign, width, cut });
      }
      expect(findings).toEqual([]);
    },
  );

  test("is there after less than 250 kB of script", async () => {
    const context = await place.browser.newContext();
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on("requestfinished", (request) => {
      if (request.resourceType() === "script")
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto(`${place.server.url}/dashboard`);
    await page.locator("main h1").waitFor();
    await page.waitForLoadState("networkidle");
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(MOST_SCRIPT);
    await context.close();
  });

  test("can be used without a mouse: to the page, into a dialog and back", async () => {
    await using watched = await place.open("/variables");
    const { page, complaints } = watched;
    await page.getByRole("region", { name: "Variables" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("New variable");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New variable" });
    await dialog.waitFor();
    for (let i = 0; i < 12; i += 1) {
      await page.keyboard.press("Tab");
      // Past its last button the browser itself has the focus, and the page behind it never.
      expect(
        await page.evaluate(
          "document.activeElement === document.body || document.activeElement.closest('dialog') !== null",
        ),
      ).toBe(true);
    }
    await page.keyboard.press("Escape");
    // Not only out of sight.
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("New variable");

    await page.keyboard.press("Enter");
    await dialog.getByLabel("Value").fill("42");
    await dialog.getByLabel("Name", { exact: true }).fill("answer");
    await page.keyboard.press("Enter");
    await page.getByText("Saved answer").waitFor();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("New variable");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("New variable");
    expect(complaints).toEqual([]);
  });

  test("shows what changed after it asked and before it was told of changes", async () => {
    const context = await place.browser.newContext();
    const page = await context.newPage();
    let open = (): void => undefined;
    const opens = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.routeWebSocket(/\/events\/out/, async (socket) => {
      await opens;
      socket.connectToServer();
    });
    await page.goto(`${place.server.url}/variables`);
    await page.getByText("feature_flags").waitFor();
    await makeAt(place.server.url)("/variables/", { name: "meanwhile", value: "made" });
    expect(await page.getByText("meanwhile").count()).toBe(0);
    open();
    await page.getByText("meanwhile").waitFor();
    await context.close();
  });

  test("does not ask again because of what happened before it was opened", async () => {
    const make = makeAt(place.server.url);
    await make("/variables/", { name: "before", value: "made" });
    // Further back than the clocks of replicas may be from each other.
    await letPass(600);
    const context = await place.browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/variables/filter")) asked.push(request.url());
    });
    const told = new Promise<void>((resolve) => {
      page.on("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => {
          if (payload.includes("variable.created")) resolve();
        }),
      );
    });
    await page.goto(`${place.server.url}/variables`);
    await page.getByText("before", { exact: true }).waitFor();
    await told;
    // What has changed is asked for within a second.
    await letPass(1500);
    expect(asked).toHaveLength(1);
    await make("/variables/", { name: "behind", value: "made" });
    await page.getByText("behind", { exact: true }).waitFor();
    await context.close();
  });

  test("is found with a slash behind its address, too", async () => {
    await using opened = await place.open("/flows/");
    await opened.page.getByRole("heading", { name: "Flows", level: 1 }).waitFor();
  });

  test("keeps still for whoever asks for that", async () => {
    await using watched = await place.open("/dashboard", { reducedMotion: "reduce" });
    const { page } = watched;
    await page.locator("main h1").waitFor();
    const moving = await page.evaluate(`[...document.querySelectorAll("*")].filter((one) => {
      const { animationName, transitionDuration } = getComputedStyle(one);
      return animationName !== "none" || transitionDuration.split(", ").some((time) => time !== "0s");
    }).length`);
    expect(moving).toBe(0);
  });
});

async function lateRuns(origin: string): Promise<number> {
  const flow_runs = { state: { name: { any_: ["Late"] } } };
  return (await makeAt(origin)("/flow_runs/count", { flow_runs })) as unknown as number;
}

const isOf = (origin: string, url: string): boolean =>
  url.startsWith(origin) || url.startsWith("data:") || url.startsWith("blob:");
