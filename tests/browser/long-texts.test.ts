// Texts that are longer than the room for them, and things that are not there.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { barriersInBothThemes } from "./barriers.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

const RULE = "FREQ=YEARLY;BYMONTH=1,4,7,10;BYDAY=-1FR;BYHOUR=17;BYMINUTE=30;BYSECOND=0;BYSETPOS=1";
const TAGS = ["first", "second", "third", "fourth"];

/** The boxes that Tab stops at so that they can be scrolled, by what they are called. */
const stops = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll("[role=group][tabindex]")].map((box) => box.ariaLabel)`,
  );

describe.skipIf(!hasBrowser)("a page", () => {
  const place = sharedFilled();
  let run: string;
  beforeAll(async () => {
    const make = makeAt(place.server.url);
    const { flow } = place.server.filled;
    const { id } = await make("/deployments/", {
      name: "quarterly",
      flow_id: flow.id,
      tags: TAGS,
      schedules: [{ schedule: { rrule: RULE, timezone: "Asia/Tokyo" }, active: true }],
    });
    ({ id: run } = await make(`/deployments/${id}/create_flow_run`, {}));
    const message = `No answer from https://warehouse.example.com/${"orders".repeat(20)}`;
    await make(`/flow_runs/${run}/set_state`, { state: { type: "FAILED", message }, force: true });
  });

  test("shows every column of the deployments, however long a schedule is", async () => {
    await using watched = await place.open("/deployments");
    const { page } = watched;
    await page.getByText("FREQ=YEARLY").waitFor();
    const isCut = await page.evaluate<boolean>(
      `[...document.querySelectorAll(".table-box")].some((box) => box.scrollWidth > box.clientWidth)`,
    );
    expect(isCut).toBe(false);
  });

  test("says how many tags it leaves out, and which", async () => {
    await using watched = await place.open("/deployments");
    const row = watched.page.getByRole("row").filter({ hasText: "quarterly" });
    await row.getByText("second", { exact: true }).waitFor();
    expect(await row.getByText("third", { exact: true }).count()).toBe(0);
    expect(await row.getByText("+2").getAttribute("title")).toBe("third, fourth");
  });

  test("of a run that died of something long is no wider than a phone", async () => {
    const phone = { viewport: { width: 390, height: 800 } };
    await using watched = await place.open(`/runs/${run}`, phone);
    const { page } = watched;
    await page.getByText("No answer from").first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });

  test("of a run that died with a stack trace shows its beginning, and all of it for who asks", async () => {
    const trace = Array.from({ length: 40 }, (_, i) => `  File "/srv/flows/m${i}.py", line ${i}`);
    const message = `ValueError: no rows\n${trace.join("\n")}`;
    const make = makeAt(place.server.url);
    const { id } = await make("/flow_runs/", {
      flow_id: place.server.filled.flow.id,
      state: { type: "RUNNING" },
    });
    // Tried again: what it died of first can be read among its states alone.
    for (const state of [{ type: "FAILED", message }, { type: "RUNNING" }])
      await make(`/flow_runs/${id}/set_state`, { state, force: true });
    await using watched = await place.open(`/runs/${id}?tab=states`);
    const { page } = watched;
    const row = page.getByRole("row").filter({ hasText: "ValueError" });
    const all = row.getByRole("button", { name: "Show all" });
    await all.waitFor();
    const heightOf = async () => (await row.boundingBox())?.height ?? 0;
    expect(await heightOf()).toBeLessThan(200);
    await all.click();
    await row.getByRole("button", { name: "Show less" }).waitFor();
    // Each line of it is one.
    expect(await heightOf()).toBeGreaterThan(40 * 12);
    await make(`/flow_runs/${id}/set_state`, { state: { type: "CRASHED", message }, force: true });
    await page.locator("header").getByText("ValueError").waitFor();
    const actions = page.getByRole("button", { name: "Retry" }).or(page.getByText("Compare"));
    expect((await actions.first().boundingBox())?.y).toBeLessThan(300);
  });

  test("of a run whose message fits has no button for the rest of it, unless the screen is narrow", async () => {
    const { id } = await makeAt(place.server.url)("/flow_runs/", {
      flow_id: place.server.filled.flow.id,
      state: { type: "FAILED", message: "No rows for this day. ".repeat(20).trim() },
    });
    await using watched = await place.open(`/runs/${id}`);
    const { page } = watched;
    const head = page.locator("header").filter({ hasText: "No rows" });
    const all = head.getByRole("button", { name: "Show all" });
    await head.getByText("No rows").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await all.count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await all.waitFor();
    // The keyboard does not lose its place there.
    await all.press("Enter");
    await page.keyboard.press("Enter");
    await all.waitFor();
    expect(await all.evaluate((seen) => seen === seen.ownerDocument.activeElement)).toBe(true);
  });

  test("of a deployment with very large parameters still shows its runs near by, and at once", async () => {
    const make = makeAt(place.server.url);
    const { id } = await make("/deployments/", {
      name: "large",
      flow_id: place.server.filled.flow.id,
      parameters: { shops: Array.from({ length: 20_000 }, (_, i) => i) },
    });
    await using watched = await place.open(`/deployments/${id}`);
    const { page } = watched;
    await page.getByText('"shops"').waitFor();
    expect(await stops(page)).toEqual(["Parameters"]);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(3000);
    // A word each would be 40,000.
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(2000);
  });

  test("of an artifact with a long key, a long line of code and a wide table is no wider than a phone", async () => {
    const make = makeAt(place.server.url);
    const run = place.server.filled.runs[1]?.id ?? "";
    const codeOf = (line: string) => `\`\`\`\n${line}\n\`\`\``;
    const names = Array.from({ length: 6 }, (_, i) => `Figure${i}`);
    const table = `| ${names.join(" | ")} |`;
    const data = [codeOf("print(1) ".repeat(80)), codeOf("go()"), table].join("\n\n");
    await make("/artifacts/", { key: "k".repeat(120), type: "markdown", data, flow_run_id: run });
    const phone = { viewport: { width: 390, height: 800 } };
    await using watched = await place.open(`/runs/${run}?tab=artifacts`, phone);
    const { page } = watched;
    await page.getByText("print(1)").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await barriersInBothThemes(page)).toEqual([]);
    // The code that fits is none: there is nothing to scroll.
    expect(await stops(page)).toEqual(["Code", "Table"]);
  });

  const NOBODY = "00000000-0000-4000-8000-000000000000";
  test.each([
    ["run", `/runs/${NOBODY}`, "All runs", "/runs"],
    ["flow", `/flows/${NOBODY}`, "All flows", "/flows"],
    ["deployment", `/deployments/${NOBODY}`, "All deployments", "/deployments"],
    ["work pool", "/work-pools/gone", "All work pools", "/work-pools"],
    ["automation", `/automations/${NOBODY}`, "All automations", "/automations"],
    ["automation", `/automations/${NOBODY}/edit`, "All automations", "/automations"],
    ["block", `/blocks/${NOBODY}`, "All blocks", "/blocks"],
  ])("of a %s that is not there (%s) leads to the others", async (what, path, link, to) => {
    await using watched = await place.open(path);
    const { page } = watched;
    await page.getByText(`No such ${what}`).waitFor();
    await page.getByRole("link", { name: link }).click();
    await page.waitForURL(`${place.server.url}${to}`);
  });

  test("is found by the flow and the deployment together", async () => {
    const { flow } = place.server.filled;
    await using watched = await place.open("/dashboard");
    const { page } = watched;
    await page.locator("main h1").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill(`${flow.name}/quart`);
    await page.getByRole("option", { name: `${flow.name}/quarterly` }).click();
    await page.getByRole("heading", { name: "quarterly", level: 1 }).waitFor();
  });
});
