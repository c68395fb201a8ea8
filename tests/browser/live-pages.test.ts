// What pages make of what happens while they are open, and of answers that come late or not at all.
import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

describe.skipIf(!hasBrowser)("a page that is open", () => {
  const place = sharedFilled();
  const make = (path: string, body: unknown) => makeAt(place.server.url)(path, body);
  const emit = (event: string, { count = 1, resource = event } = {}) =>
    make(
      "/events",
      Array.from({ length: count }, () => ({
        id: crypto.randomUUID(),
        occurred: new Date().toISOString(),
        event,
        resource: { "orchestrator.resource.id": resource },
      })),
    );
  const refuse = (route: Route) => route.fulfill({ status: 500, json: { detail: "Not just now" } });
  const refused = (page: Page) => page.getByRole("alert").filter({ hasText: "Not just now" });

  test("keeps a run and what was typed there when it cannot be read again", async () => {
    const { deployment } = place.server.filled;
    const run = await make(`/deployments/${deployment.id}/create_flow_run`, { name: "kept" });
    const become = (type: string) =>
      make(`/flow_runs/${run.id}/set_state`, { state: { type }, force: true });
    await using watched = await place.open(`/runs/${run.id}?tab=logs`);
    const { page } = watched;
    const search = page.getByLabel("Search logs");
    await search.fill("rows");
    await page.route(`**/api/flow_runs/${run.id}`, refuse);
    await become("PENDING");
    await refused(page).waitFor();
    await page.getByRole("heading", { level: 1, name: "kept" }).waitFor();
    expect(await search.inputValue()).toBe("rows");
    await page.unroute(`**/api/flow_runs/${run.id}`);
    await become("RUNNING");
    await page.locator(".page__title").getByText("Running").waitFor();
    expect(await refused(page).count()).toBe(0);
    expect(await search.inputValue()).toBe("rows");
    await page.route(`**/api/flow_runs/${run.id}`, (route) =>
      route.fulfill({ status: 404, json: { detail: "Flow run not found" } }),
    );
    await become("CANCELLED");
    await page.getByText("No such run").waitFor();
  });

  test("keeps a timeline that cannot be read again", async () => {
    const { runs } = place.server.filled;
    const run = runs[0]?.id ?? "";
    const task = { flow_run_id: run, task_key: "load", dynamic_key: "0", name: "load-0" };
    const { id } = await make("/task_runs/", { ...task, state: { type: "RUNNING" } });
    await using watched = await place.open(`/runs/${run}`);
    const { page } = watched;
    await page.getByText("1 task run or subflow").waitFor();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.route("**/graph-v2*", refuse);
    await emit("task.noticed", { resource: `orchestrator.task-run.${id}` });
    await refused(page).waitFor();
    // Still as close as before.
    expect(await page.getByRole("button", { name: "Whole run" }).isEnabled()).toBe(true);
    await page.getByRole("button", { name: /load-0/ }).waitFor();
  });

  test("keeps a flow that cannot be read again", async () => {
    const { id, name } = await make("/flows/", { name: "weekly-report" });
    await using watched = await place.open(`/flows/${id}`);
    const { page } = watched;
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.route(`**/api/flows/${id}`, refuse);
    await make("/flows/", { name: "another-flow" });
    await refused(page).waitFor();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  });

  test("shows no events of another filter because they come late", async () => {
    await emit("crate.moved", { count: 250 });
    await emit("parcel.moved");
    await using watched = await place.open("/events?name=crate.");
    const { page, complaints } = watched;
    const foot = page.locator(".events__foot");
    await foot.getByText("200 of 250 events").waitFor();
    const older = page.getByRole("button", { name: "Older" });

    await page.route("**/events/filter/next*", refuse);
    await older.click();
    await page.getByText("Not just now").waitFor();
    await page.unroute("**/events/filter/next*");

    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      void page.route("**/events/filter/next*", async (route) => {
        resolve();
        await held;
        await route.continue();
      });
    });
    await older.click();
    await asked;
    await page.getByLabel("Name begins with").fill("parcel.");
    await foot.getByText("1 of 1 event").waitFor();
    answer();
    await emit("parcel.moved");
    await foot.getByText("2 of 2 events").waitFor();
    expect(await page.getByText("crate.moved").count()).toBe(0);
    expect(complaints.filter((line) => !line.includes("500"))).toEqual([]);
  });
});
