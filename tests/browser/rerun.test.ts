// Reruns of runs, in a real browser.
import type { FlowRun } from "@orchestrator/contract";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { barriersInBothThemes, barriersInEitherTheme } from "./barriers.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

describe.skipIf(!hasBrowser)("a rerun in the web UI", () => {
  const place = sharedFilled();

  /** A run that failed, with one task run. */
  async function failedRun(): Promise<FlowRun & { readonly taskRunId: string }> {
    const make = makeAt(place.server.url);
    const { id: deployment } = place.server.filled.deployment;
    const run = await make(`/deployments/${deployment}/create_flow_run`, {
      parameters: { source: "lake", limit: 7 },
    });
    const { id: taskRunId } = await make("/task_runs/", {
      flow_run_id: run.id,
      task_key: "load",
      dynamic_key: "0",
      name: "load-0",
      state: { type: "RUNNING" },
    });
    for (const type of ["PENDING", "RUNNING", "FAILED"])
      await make(`/flow_runs/${run.id}/set_state`, { state: { type }, force: true });
    return { ...(run as unknown as FlowRun), taskRunId };
  }

  const read = async (id: string): Promise<FlowRun> => {
    const answer = await fetch(`${place.server.url}/api/flow_runs/${id}`);
    return (await answer.json()) as FlowRun;
  };

  /** The run that the page has gone to. */
  async function shownRun(page: Page, before: string): Promise<FlowRun> {
    await page.waitForURL(
      (url) => /\/runs\/[\da-f-]{36}/.test(url.href) && !url.href.includes(before),
    );
    return read(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  }

  test("gets other parameters in a form, and both runs link to each other", async () => {
    const run = await failedRun();
    await using watched = await place.open(`/runs/${run.id}`);
    const { page, complaints } = watched;
    await page.getByRole("button", { name: "Rerun", exact: true }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Limit").inputValue()).toBe("7");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await barriersInEitherTheme(page)).toEqual([]);
    }
    await dialog.getByLabel("Limit").fill("8");
    await dialog.getByRole("button", { name: "Rerun", exact: true }).click();
    const made = await shownRun(page, run.id);
    expect(made).toMatchObject({
      parameters: { source: "lake", limit: 8 },
      created_by: { type: "RERUN", id: run.id },
    });
    expect(made.state?.message).toContain("from its last result");
    await page.getByRole("link", { name: run.name, exact: true }).click();
    await page.locator("main h1", { hasText: run.name }).waitFor();
    const link = page.locator("dd").getByRole("link", { name: made.name, exact: true });
    await link.waitFor();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await barriersInBothThemes(page)).toEqual([]);
    }
    await link.click();
    await page.locator("main h1", { hasText: made.name }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("begins with the task whose log is open", async () => {
    const run = await failedRun();
    await using watched = await place.open(`/runs/${run.id}`);
    const { page } = watched;
    await page.getByRole("button", { name: /^load-0/ }).click();
    await page.getByRole("button", { name: "Rerun from here" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("From").inputValue()).toBe(run.taskRunId);
    await dialog.getByRole("button", { name: "Rerun", exact: true }).click();
    const made = await shownRun(page, run.id);
    expect(made.state?.message).toContain("from its task run load-0");
  });

  test("is not offered for a run without a deployment", async () => {
    const make = makeAt(place.server.url);
    const { id: flow_id } = place.server.filled.flow;
    const run = await make("/flow_runs/", { flow_id, state: { type: "COMPLETED" } });
    await using watched = await place.open(`/runs/${run.id}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Retry" }).waitFor();
    expect(await page.getByRole("button", { name: "Rerun" }).count()).toBe(0);
  });
});
