// What people do with many runs at once, and how long logs and backfills are read, in a real
// browser.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { barriersInBothThemes } from "./barriers.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

const DAY_MS = 86_400_000;
/** More than the server takes in one request. */
const MANY = 120;

describe.skipIf(!hasBrowser)("a person with many runs", () => {
  const place = sharedFilled();
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

  test("cancels all that match, hears which had ended already, and deletes them all", async () => {
    const make = makeAt(place.server.url);
    const flow_id = place.server.filled.flow.id;
    for (let i = 0; i < MANY; i += 1)
      await make("/flow_runs/", {
        flow_id,
        tags: ["many"],
        state: { type: i % 2 === 0 ? "SCHEDULED" : "FAILED" },
      });
    await using watched = await place.open("/runs?tags=many&window=all");
    const { page, complaints } = watched;
    const pickAll = async () => {
      await page.getByLabel("Select all runs on this page").check();
      await button(page, `Select all ${MANY} that match`).click();
    };
    await pickAll();
    await button(page, "Cancel").click();
    await button(page, `Cancel ${MANY} runs`).click();
    await page.getByText("Cancelling 60 runs").waitFor();
    await page.getByText("60 runs unchanged: The run has ended already").waitFor();

    // Who lets one go means it, and no longer all that match.
    await pickAll();
    await page
      .getByLabel(/^Select (?!all)/)
      .first()
      .uncheck();
    await page.getByText("49 runs selected").waitFor();
    await button(page, "Next").click();
    await page.getByText("2 of 3", { exact: true }).waitFor();
    await page.getByText("49 runs selected").waitFor();
    // What was picked among others stays with them.
    await page.getByRole("link", { name: /failed$/ }).click();
    await page.waitForURL(/states=FAILED/);
    await page.getByText("60 runs", { exact: true }).waitFor();
    expect(await page.getByText("49 runs selected").count()).toBe(0);
    await page.goBack();
    await page.getByText(`${MANY} runs`, { exact: true }).waitFor();
    expect(await page.getByText("49 runs selected").count()).toBe(0);

    await pickAll();
    await button(page, "Delete").click();
    await button(page, `Delete ${MANY} runs`).click();
    await page.getByText(`Deleted ${MANY} runs`).waitFor();
    await page.getByText("No matching runs").waitFor();
    expect(complaints).toEqual([]);
  });

  test("reads an earlier line in peace while more arrive, and follows again from the end", async () => {
    const make = makeAt(place.server.url);
    const run = place.server.filled.runs[1]?.id ?? "";
    const task = await make("/task_runs/", {
      flow_run_id: run,
      name: "extract-0",
      task_key: "extract",
      dynamic_key: "0",
      state: { type: "RUNNING" },
    });
    const write = (count: number, message: string) =>
      make(
        "/logs/",
        Array.from({ length: count }, (_, i) => ({
          name: "orchestrator.task_runs",
          level: 20,
          message: `${message} ${i}`,
          timestamp: new Date().toISOString(),
          flow_run_id: run,
          ...(i === 0 && { task_run_id: task.id }),
        })),
      );
    await write(300, "early");
    await using watched = await place.open(`/runs/${run}?tab=logs`);
    const { page, complaints } = watched;
    const box = page.getByRole("log");
    const follow = page.getByLabel("Follow");
    await page.getByText("early 299", { exact: true }).waitFor();
    await box.focus();
    await page.keyboard.press("Home");
    await page.getByText("early 0", { exact: true }).waitFor();
    expect(await follow.isChecked()).toBe(false);
    await write(1, "late");
    await box.evaluate((element) => element.scrollTo(0, 3000));
    await page.getByText("early 150", { exact: true }).waitFor();
    await page.getByLabel("Search logs").fill("late");
    await page.getByText("late 0", { exact: true }).waitFor();
    // A list that has become short is no end that somebody has gone to.
    expect(await follow.isChecked()).toBe(false);
    await page.getByLabel("Search logs").fill("");
    await box.focus();
    await page.keyboard.press("Home");
    await page.getByText("early 0", { exact: true }).waitFor();

    await follow.check();
    await page.getByText("late 0", { exact: true }).waitFor();
    expect(await barriersInBothThemes(page)).toEqual([]);
    await box.focus();
    await page.keyboard.press("Home");
    await button(page, "extract-0").click();
    await page.waitForURL(new RegExp(`task=${task.id}`));
    await page.getByText("early 1", { exact: true }).waitFor({ state: "detached" });
    await page.getByText("early 0", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("begins a backfill, sees how far it is, stops it and lets it go on", async () => {
    await using watched = await place.open(`/deployments/${place.server.filled.deployment.id}`, {
      timezoneId: "UTC",
    });
    const { page, complaints } = watched;
    await button(page, "Backfill").click();
    // Four nights lie between, at whatever hour this runs.
    const noon = (daysAgo: number) =>
      `${new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)}T12:00`;
    await page.getByLabel("From").fill(noon(5));
    await page.getByLabel("Until").fill(noon(1));
    await page.getByLabel("Concurrency limit").fill("2");
    await button(page, "Start").click();
    const table = page.getByRole("region", { name: "Backfills" });
    await table.getByText("2 of 4 runs created, 2 active").waitFor();
    await button(page, "Stop").click();
    await button(page, "Stop it").click();
    await table.getByText("Cancelled").waitFor();
    await button(page, "Resume").click();
    await table.getByText("Running").waitFor();
    expect(complaints).toEqual([]);
  });
});
