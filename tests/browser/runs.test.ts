// What people do with runs, in a real browser.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { barriersInBothThemes, barriersOf } from "./barriers.ts";
import { type FilledRecords, makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

describe.skipIf(!hasBrowser)("a person at the web UI", () => {
  const place = sharedFilled();

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const send = async (path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${place.server.url}/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
  };

  test("runs a deployment with parameters, sees why it waits, watches its log arrive and cancels it", async () => {
    await using watched = await place.open(`/deployments/${place.server.filled.deployment.id}`);
    const { page, complaints } = watched;
    await page.getByText("No worker has polled the work pool local yet").waitFor();
    await button(page, "Run").click();
    await page.getByLabel("Source *").fill("lake");
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.getByText("Why is it not running?").waitFor();
    await page.getByText("The work pool local has never had a worker").waitFor();

    const id = page.url().split("/").at(-1) ?? "";
    const wait = { key: "payment", event: "order.paid", timeout_seconds: 600 };
    await send(`/flow_runs/${id}/waits`, wait);
    for (const type of ["PENDING", "RUNNING"])
      await send(`/flow_runs/${id}/set_state`, { state: { type } });
    await page.locator(".page__title").getByText("Running").waitFor();
    await page.getByText("What is it waiting for?").waitFor();
    await page.getByText("The flow waits for the event order.paid until").waitFor();
    await page.getByRole("tab", { name: "Logs" }).click();
    await page.getByText("No log lines yet").waitFor();
    await send("/logs/", [
      {
        name: "orchestrator.flow_runs",
        level: 20,
        message: "rows are being read",
        timestamp: new Date().toISOString(),
        flow_run_id: id,
      },
    ]);
    const line = page.locator(".logs__line", { hasText: "rows are being read" });
    await line.waitFor();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await line.getByRole("time").waitFor();
      await line.getByText("INFO").waitFor();
    }
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
    await using watched = await place.open("/runs");
    const { page } = watched;
    await page.getByLabel("State").selectOption("FAILED");
    await page.waitForURL(/states=FAILED/);
    await page.getByText("5 runs").waitFor();
    expect(await page.locator("td .state").allTextContents()).toEqual(Array(5).fill("Failed"));
    await page.reload();
    await page.getByText("5 runs").waitFor();
  });

  test("narrows them to a flow by its name, to a state by the legend and to a time by a bar", async () => {
    await using watched = await place.open("/runs");
    const { page, complaints } = watched;
    await page.getByText(/^2\d runs$/).waitFor();
    const flow = page.getByRole("combobox", { name: "Flow", exact: true });
    await flow.focus();
    await page.locator("datalist option[value=nightly-import]").waitFor({ state: "attached" });
    await flow.fill("nightly-import");
    await page.waitForURL(/flow=/);
    await page.getByText("Flow: nightly-import").waitFor();
    await page.getByRole("link", { name: "5 failed" }).click();
    await page.waitForURL(/states=FAILED/);
    await page.getByText("5 runs", { exact: true }).waitFor();
    await page
      .getByRole("button", { name: /: no runs$/ })
      .first()
      .click();
    await page.waitForURL(/from=.*to=/);
    await page.getByText("No matching runs").waitFor();
    await page.getByRole("button", { name: /^Clear Flow/ }).click();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByText("5 runs", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("narrows them by the beginning of a name and Enter, and sees that a name is of nothing", async () => {
    await using watched = await place.open("/runs");
    const { page } = watched;
    const picker = page.getByLabel("Flow", { exact: true });
    await picker.fill("nobody-is-called-so");
    await expect.poll(() => picker.getAttribute("aria-invalid")).toBe("true");
    await page.keyboard.press("Enter");
    expect(page.url()).toBe(`${place.server.url}/runs`);
    await picker.fill("nightly");
    await page.locator("datalist option[value=nightly-import]").waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await page.getByText("Flow: nightly-import").waitFor();
    expect(page.url()).toContain(place.server.filled.flow.id);
  });

  test("picks a time and a run from the charts without a mouse", async () => {
    await using watched = await place.open("/runs?window=24h");
    const { page, complaints } = watched;
    const focused = () => page.evaluate("document.activeElement.ariaLabel");
    const chart = page.getByRole("group", { name: /^Runs over time/ });
    await chart.getByRole("button", { name: /: \d+ [a-z]+/ }).waitFor();
    // The whole chart is one stop of the Tab key.
    await button(page, "All").focus();
    await page.keyboard.press("Tab");
    const busy = await focused();
    expect(busy).toMatch(/ to .*: .*5 failed/);
    await page.keyboard.press("Home");
    expect(await focused()).toMatch(/: no runs$/);
    await page.keyboard.press("End");
    // Runs of some minutes ago may be of an earlier bar.
    while ((await focused()) !== busy) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=.*to=/);
    await page.getByText(/^2\d runs$/).waitFor();

    await button(page, "Points").click();
    await page
      .getByRole("link", { name: /^Failed, / })
      .first()
      .waitFor();
    await button(page, "All").focus();
    await page.keyboard.press("Tab");
    const newest = await focused();
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).not.toBeNull();
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe(newest);
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);

    await page.goto(`${place.server.url}/deployments`);
    await page.getByRole("group", { name: "Recent runs" }).first().waitFor();
    await page.getByRole("link", { name: "every-night" }).focus();
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^[a-z-]+: /);
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    expect(complaints).toEqual([]);
  });

  test("leaves runs that wait for their time out, unless they are asked for", async () => {
    await using watched = await place.open("/runs");
    const { page } = watched;
    await page.getByText(/^2\d runs$/).waitFor();
    await page.getByLabel("State").selectOption("SCHEDULED");
    await page.getByRole("cell", { name: "Scheduled" }).first().waitFor();
  });

  test("goes from a subflow to the run that it is part of, and reads times by the own clock", async () => {
    const make = makeAt(place.server.url);
    const { deployment, pool } = place.server.filled;
    const parent = await make(`/deployments/${deployment.id}/create_flow_run`, { name: "whole" });
    const task = await make("/task_runs/", {
      flow_run_id: parent.id,
      task_key: "below",
      dynamic_key: "0",
    });
    const child = await make(`/deployments/${deployment.id}/create_flow_run`, {
      name: "piece",
      parent_task_run_id: task.id,
    });
    await send(`/flow_runs/${child.id}/set_state`, { state: { type: "PAUSED" }, force: true });
    await using watched = await place.open(`/runs/${child.id}`);
    const { page, complaints } = watched;
    const reason = page.getByText(/^The run has been paused since/);
    expect(await reason.innerText()).not.toMatch(/\dT\d/);
    await page.getByRole("link", { name: `${pool.name} / default`, exact: true }).waitFor();
    await page.getByRole("link", { name: "whole", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "whole" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("looks closer at one of thousands of tasks", async () => {
    const run = place.server.filled.runs[1]?.id ?? "";
    for (let part = 0; part < 10; part += 1) await send("/events", manyTasks(run, part));
    await retryUntil(async () => {
      const graph = await fetch(`${place.server.url}/api/flow_runs/${run}/graph-v2`);
      expect((await graph.json()) as object).toMatchObject({ nodes: { length: 5000 } });
    });
    await using watched = await place.open(`/runs/${run}`);
    const { page, complaints } = watched;
    await page.getByText("5,000 task runs and subflows").waitFor();
    expect(await page.locator(".timeline__row").count()).toBeLessThan(100);
    const bar = page.locator(".timeline__bar").first();
    const widthOf = async () => (await bar.boundingBox())?.width ?? 0;
    const before = await widthOf();
    await button(page, "Fit visible rows").click();
    expect(await widthOf()).toBeGreaterThan(before * 5);
    await button(page, "Whole run").click();
    expect(await widthOf()).toBeCloseTo(before, 0);
    expect(complaints).toEqual([]);
  });

  test("deletes the runs that were picked, after being asked", async () => {
    await using watched = await place.open("/runs?states=CRASHED");
    const { page } = watched;
    await page.getByText("5 runs").waitFor();
    await page.getByLabel("Select all runs on this page").check();
    await button(page, "Delete").click();
    await button(page, "Delete 5 runs").click();
    await page.getByText("No matching runs").waitFor();
  });

  test("goes from the limits of deployments to the SLAs of the same deployments", async () => {
    const { id, name } = place.server.filled.deployment;
    const limited = await fetch(`${place.server.url}/api/deployments/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ concurrency_limit: 2 }),
    });
    expect(limited.ok).toBe(true);
    await using watched = await place.open("/concurrency-limits");
    const { page, complaints } = watched;
    await page.getByRole("link", { name }).waitFor();
    await page.getByRole("link", { name: "SLAs", exact: true }).click();
    await page.getByRole("heading", { name: "SLAs", level: 1 }).waitFor();
    await page.getByRole("cell", { name, exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("sees the limit of a deployment by the name of the deployment", async () => {
    const { flow } = place.server.filled;
    await send("/deployments/", { name: "one-at-a-time", flow_id: flow.id, concurrency_limit: 1 });
    await using watched = await place.open("/concurrency-limits");
    await watched.page.getByRole("link", { name: "one-at-a-time" }).click();
    await watched.page.getByRole("heading", { name: "one-at-a-time" }).waitFor();
  });

  test("sees by its name who holds a limit", async () => {
    const [holder] = place.server.filled.runs;
    await send("/v2/concurrency_limits/", { name: "presses", limit: 2 });
    await send("/v2/concurrency_limits/increment-with-lease", {
      names: ["presses"],
      slots: 1,
      mode: "concurrency",
      lease_duration: 120,
      holder: { type: "flow_run", id: holder?.id },
    });
    await using watched = await place.open("/concurrency-limits");
    const { page } = watched;
    await page.getByRole("button", { name: "Holders of presses" }).click();
    await page
      .getByRole("dialog")
      .getByRole("link", { name: holder?.name ?? "" })
      .waitFor();
  });

  test("finds a page by a few letters", async () => {
    await using watched = await place.open("/dashboard");
    const { page } = watched;
    await page.locator("main h1").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("nightly");
    await page.getByRole("option", { name: "nightly-import", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/flows\//);
  });

  test.each([
    ["a run", ({ runs }: FilledRecords) => `/runs/${runs[3]?.id}`],
    ["its log", ({ runs }: FilledRecords) => `/runs/${runs[0]?.id}?tab=logs`],
    ["its states", ({ runs }: FilledRecords) => `/runs/${runs[0]?.id}?tab=states`],
    [
      "two runs beside each other",
      ({ runs }: FilledRecords) => `/runs/compare?a=${runs[0]?.id}&b=${runs[3]?.id}`,
    ],
    ["a flow", ({ flow }: FilledRecords) => `/flows/${flow.id}`],
    ["a deployment", ({ deployment }: FilledRecords) => `/deployments/${deployment.id}`],
    ["a work pool", ({ pool }: FilledRecords) => `/work-pools/${pool.name}`],
  ])("looks at %s without a barrier in either theme", async (_, pathOf) => {
    await using watched = await place.open(pathOf(place.server.filled));
    const { page, complaints } = watched;
    expect(await barriersInBothThemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

const TASKS_AT_ONCE = 500;

/** Told as clients tell of tasks, each with its times. */
function manyTasks(flowRun: string, part: number): object[] {
  const begun = Date.now() - 3_600_000;
  return Array.from({ length: TASKS_AT_ONCE }, (_, i) => {
    const n = part * TASKS_AT_ONCE + i;
    const [start, end] = [begun + n * 600, begun + n * 600 + 5000].map((ms) =>
      new Date(ms).toISOString(),
    );
    return {
      id: crypto.randomUUID(),
      occurred: end,
      event: "orchestrator.task-run.Completed",
      resource: {
        "orchestrator.resource.id": `orchestrator.task-run.${crypto.randomUUID()}`,
        "orchestrator.resource.name": `step-${n}`,
        "orchestrator.orchestration": "client",
      },
      related: [
        {
          "orchestrator.resource.id": `orchestrator.flow-run.${flowRun}`,
          "orchestrator.resource.role": "flow-run",
        },
      ],
      payload: {
        validated_state: { type: "COMPLETED" },
        task_run: { task_key: "step", dynamic_key: String(n), start_time: start, end_time: end },
      },
    };
  });
}
