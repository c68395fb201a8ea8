// Two runs beside each other, in a real browser.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { barriersInBothThemes } from "./barriers.ts";
import { type Make, makeAt } from "./fill.ts";
import { addTasks } from "./fill-tasks.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

type Took = Readonly<Record<string, number>>;

describe.skipIf(!hasBrowser)("a person who compares two runs", () => {
  const place = sharedFilled();

  test("sees which states each went through and how long each task took", async () => {
    const { url, filled } = place.server;
    const make = makeAt(url);
    const a = await addRun(make, filled.deployment.id, {
      name: "quick-fox",
      states: ["Running", "Completed"],
      took: { "extract-0": 10, "load-1fa": 20, "check-0": 3 },
    });
    const b = await addRun(make, filled.deployment.id, {
      name: "slow-ox",
      states: ["Running", "Failed", "Running", "Completed"],
      took: { "extract-0": 75, "load-77c": 12, "repair-0": 4 },
    });
    await using watched = await place.open(`/runs/compare?a=${a}&b=${b}`);
    const { page, complaints } = watched;
    const LENGTH = /\d+(?:\.\d+)?(?:ms|s|m)/g;
    const states = await rowsOf(page, "States");
    expect(states.map((row) => row.map((cell) => cell.replaceAll(LENGTH, "").trim()))).toEqual([
      ["quick-fox", "slow-ox", "Difference"],
      ["Scheduled", "Scheduled", expect.stringMatching(/^[+−]?$/)],
      ["Running", "Running", expect.stringMatching(/^[+−]?$/)],
      ["–", "Failed", "–"],
      ["–", "Running", "–"],
      ["Completed", "Completed", "–"],
    ]);
    // The state that it is still in has no end; the others were held for some time.
    expect(states.slice(1).map(([, ofB = ""]) => ofB.match(LENGTH) !== null)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(await rowsOf(page, "Task runs")).toEqual([
      ["Task", "quick-fox", "slow-ox", "Difference"],
      ["extract-0", "10s", "1m 15s", "+1m 5s"],
      ["load-1fa\nload-77c", "20s", "12s", "−8.0s"],
      ["check-0", "3.0s", "Not run", "–"],
      ["repair-0", "Not run", "4.0s", "–"],
    ]);
    const tasks = page.getByRole("region", { name: "Task runs", exact: true });
    expect(await tasks.getByRole("img", { name: "Completed" }).count()).toBe(5);
    expect(await tasks.getByRole("img", { name: "Failed" }).count()).toBe(1);
    await page.getByRole("button", { name: "Largest difference" }).click();
    const ordered = (await rowsOf(page, "Task runs")).map(([name]) => name);
    expect(ordered).toEqual(["Task", "extract-0", "load-1fa\nload-77c", "repair-0", "check-0"]);
    expect(await barriersInBothThemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("sees all of both on a phone, however long their names", async () => {
    const { url, filled } = place.server;
    const make = makeAt(url);
    const add = (letter: string) =>
      addRun(make, filled.deployment.id, { name: letter.repeat(300), states: [], took: {} });
    const [a, b] = [await add("a"), await add("b")];
    const phone = { viewport: { width: 390, height: 800 } };
    await using watched = await place.open(`/runs/compare?a=${a}&b=${b}`, phone);
    const { page } = watched;
    const table = page.getByRole("region", { name: "Comparison", exact: true });
    await table.waitFor();
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });

  test("is told how many more tasks there are than are shown", async () => {
    const { url, filled } = place.server;
    const make = makeAt(url);
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`step-${i}`, 1]));
    const add = (name: string, took: Took) =>
      addRun(make, filled.deployment.id, { name, states: ["Running"], took });
    const [a, b] = [await add("many", many), await add("few", { "step-0": 1 })];
    await using watched = await place.open(`/runs/compare?a=${a}&b=${b}`);
    const { page } = watched;
    await page.getByText("30 more tasks").waitFor();
    expect(await rowsOf(page, "Task runs")).toHaveLength(101);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("30 more tasks").waitFor({ state: "detached" });
    expect(await rowsOf(page, "Task runs")).toHaveLength(131);
  });
});

interface Course {
  readonly name: string;
  readonly states: readonly string[];
  readonly took: Took;
}

/** Its tasks are there when this is done. */
async function addRun(make: Make, deployment: string, course: Course): Promise<string> {
  const { name, states, took } = course;
  const { id } = await make(`/deployments/${deployment}/create_flow_run`, { name });
  for (const state of states)
    await make(`/flow_runs/${id}/set_state`, { state: { type: state.toUpperCase() }, force: true });
  let start = Date.now() - 3_600_000;
  const tasks = Object.entries(took).map(([label, seconds]) => {
    const type = label === "repair-0" ? ("FAILED" as const) : ("COMPLETED" as const);
    const task = { name: label, type, start, end: start + seconds * 1000 };
    start += 1000;
    return task;
  });
  await addTasks(make, id, tasks);
  const flow_runs = { id: { any_: [id] } };
  await retryUntil(async () =>
    expect(await make("/task_runs/count", { flow_runs })).toBe(tasks.length),
  );
  return id;
}

async function rowsOf(page: Page, table: string): Promise<string[][]> {
  const rows = page.getByRole("region", { name: table, exact: true }).getByRole("row");
  await rows.first().waitFor();
  return Promise.all((await rows.all()).map((row) => row.locator("th, td").allInnerTexts()));
}
