// What people tell the readers of a status page, in a real browser.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SwitchedTarget, startSwitchedTarget } from "../support/switched-target.ts";
import { barriersOf } from "./barriers.ts";
import { callUptime, type FilledMonitors, fillMonitors, UPTIME_ENV } from "./fill-monitors.ts";
import { logIn } from "./log-in.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedPlace, startEmptyServer } from "./shared-place.ts";

const PATIENTLY = { timeout: 10_000 };

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe.skipIf(!hasBrowser)("a person who tells readers what goes on", () => {
  const place = sharedPlace(() => startEmptyServer(UPTIME_ENV));
  let target: SwitchedTarget;
  let filled: FilledMonitors;
  beforeAll(async () => {
    target = await startSwitchedTarget();
    filled = await fillMonitors(place.server.url, target.url);
  });
  afterAll(() => target[Symbol.asyncDispose]());

  test("looks at the reports while changing the page, and leaves alone what a colleague has changed", async () => {
    const { id } = filled.page;
    await using watched = await place.open(`/status-pages/${id}`);
    const { page, complaints } = watched;
    await logIn(page);
    await page.getByLabel("Description").fill("How the shop is doing");
    await page.getByRole("tab", { name: "Reports" }).click();
    await page.getByText("Search is slow").waitFor();
    await page.getByRole("tab", { name: "Content" }).click();
    expect(await page.getByLabel("Description").inputValue()).toBe("How the shop is doing");
    const address = `${place.server.url}/uptime/api/status-pages/${id}`;
    await page.request.patch(address, { data: { title: "State of the shop" } });
    await button(page, "Save").click();
    await page.getByText("Saved State of the shop").waitFor();
    expect(await callUptime(place.server.url, `/status-pages/${id}`)).toMatchObject({
      title: "State of the shop",
      description: "How the shop is doing",
      groups: [{ name: "Shop" }],
    });
    expect(await page.getByLabel("Title").inputValue()).toBe("State of the shop");
    await page.getByLabel("Description").fill("");
    await button(page, "Save").click();
    await expect
      .poll(() => callUptime(place.server.url, `/status-pages/${id}`), PATIENTLY)
      .toMatchObject({ description: null });
    expect(complaints).toEqual([]);
  });

  test("ties a report to an incident, and later calls it something else", async () => {
    const { page: statusPage } = filled;
    await using watched = await place.open(`/status-pages/${statusPage.id}?tab=reports`);
    const { page } = watched;
    await logIn(page);

    await button(page, "New report").click();
    await page.getByLabel("Title").fill("Mail is late");
    const incident = page.getByLabel("Related incident");
    const option = incident.locator("option", { hasText: "Mail relay: down since" });
    await option.waitFor({ state: "attached" });
    await incident.selectOption((await option.getAttribute("value")) ?? "");
    await page.getByLabel("Message").fill("The relay is restarted.");
    expect(await barriersOf(page)).toEqual([]);
    await button(page, "Publish update").click();
    await page.getByRole("link", { name: /^Mail relay: down since/ }).waitFor();

    await button(page, "Edit report Mail is late").click();
    await page.getByLabel("Title").fill("Mail is lost");
    await page.getByLabel("Impact").selectOption("down");
    await page.getByLabel("Related incident").selectOption("");
    await button(page, "Save").click();
    await page.getByText("Saved Mail is lost").waitFor();
    await page
      .getByRole("link", { name: /^Mail relay: down since/ })
      .waitFor({ state: "detached" });

    await page.goto(`${place.server.url}/uptime/status/${statusPage.slug}`);
    await page.getByText("Mail is lost").waitFor();
    await page.getByText("The relay is restarted.").waitFor();
  });
});
