// Changing a deployment and its schedules.
import type { Deployment } from "@orchestrator/contract";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { buttonIn } from "./automation-builder.ts";
import { barriersOf } from "./barriers.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

const PATIENTLY = { timeout: 10_000 };

describe.skipIf(!hasBrowser)("a deployment", () => {
  const place = sharedFilled();

  const add = async (name: string, given: object): Promise<string> => {
    const { flow } = place.server.filled;
    const made = await makeAt(place.server.url)("/deployments/", {
      name,
      flow_id: flow.id,
      ...given,
    });
    return made.id;
  };
  const read = async (id: string): Promise<Deployment> =>
    (await fetch(`${place.server.url}/api/deployments/${id}`)).json() as Promise<Deployment>;
  const saved = (page: Page) => page.locator("dialog").waitFor({ state: "detached" });

  test("is changed, and keeps what somebody else changed meanwhile", async () => {
    const id = await add("changed", {
      parameters: { day: "monday", shop: "eu" },
      parameter_openapi_schema: {
        type: "object",
        properties: { day: { type: "string" }, shop: { type: "string" } },
      },
      version: "1",
      concurrency_options: { collision_strategy: "ENQUEUE", grace_period_seconds: 120 },
    });
    await using watched = await place.open(`/deployments/${id}`);
    const { page, complaints } = watched;
    await buttonIn(page, "Edit").click();
    const dialog = page.getByRole("dialog", { name: "Edit changed" });
    await dialog.getByLabel("Description").fill("Asks *nobody*");
    await dialog.getByLabel("day").fill("friday");
    await dialog.getByLabel("Concurrency limit").fill("3");
    await dialog.getByLabel("Runs over the limit").selectOption("skip");
    await dialog.getByLabel("Job variables").fill("{");
    expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Job variables").fill('{"memory": 12345678901234567890}');
    expect(await barriersOf(page)).toEqual([]);
    await fetch(`${place.server.url}/api/deployments/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ version: "2", tags: ["meanwhile"] }),
    });
    await dialog.getByRole("button", { name: "Save" }).click();
    await saved(page);
    await page.getByText("nobody").waitFor();
    expect(await read(id)).toMatchObject({
      version: "2",
      tags: ["meanwhile"],
      description: "Asks *nobody*",
      parameters: { day: "friday", shop: "eu" },
      concurrency_options: { collision_strategy: "CANCEL_NEW", grace_period_seconds: 120 },
      global_concurrency_limit: { limit: 3 },
    });
    const text = await (await fetch(`${place.server.url}/api/deployments/${id}`)).text();
    expect(text).toContain('"memory":12345678901234567890');
    expect(complaints).toEqual([]);
  });

  test("is run with what the form shows, also where a field was emptied or holds no value", async () => {
    const properties = {
      limit: { type: "integer", default: 10 },
      offset: { type: "integer", default: 3 },
      place: { type: "string", default: "prod" },
      mode: { type: "string", enum: ["fast", "slow"], default: "slow" },
      order: { anyOf: [{ enum: ["old", "new"] }, { type: "null" }], default: "new" },
      colour: { anyOf: [{ enum: ["red", "blue"] }, { type: "null" }], default: "red" },
      most: { anyOf: [{ type: "integer" }, { type: "null" }], default: 5 },
    };
    const id = await add("with-defaults", {
      parameters: { limit: 100, most: null, mode: "fast", order: null, colour: null },
      parameter_openapi_schema: { type: "object", properties },
    });
    await using watched = await place.open(`/deployments/${id}`);
    const { page, complaints } = watched;
    await buttonIn(page, "Run").click();
    const dialog = page.getByRole("dialog", { name: "Run with-defaults" });
    const field = (label: string) => dialog.getByLabel(label, { exact: true });
    expect(await field("place").inputValue()).toBe("prod");
    expect(await field("most").inputValue()).toBe("");
    expect(await field("most").getAttribute("placeholder")).toBeNull();
    await field("limit").fill("");
    expect(await field("limit").getAttribute("placeholder")).toBe("10");
    await field("mode").selectOption("– (slow)");
    for (const label of ["order", "colour"]) expect(await field(label).inputValue()).toBe("null");
    await field("order").selectOption("– (new)");
    await field("offset").fill("");
    await field("offset").pressSequentially("-2");
    expect(await field("offset").inputValue()).toBe("-2");
    await field("place").fill("p");
    await field("place").press("Backspace");
    expect(await field("place").inputValue()).toBe("");
    expect(await field("place").getAttribute("placeholder")).toBe("prod");
    expect(await barriersOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    const run = page.url().split("/").at(-1);
    const { parameters } = (await (
      await fetch(`${place.server.url}/api/flow_runs/${run}`)
    ).json()) as { parameters: object };
    expect(parameters).toEqual({
      limit: 10,
      offset: -2,
      most: null,
      mode: "slow",
      order: "new",
      colour: null,
    });
    expect(complaints).toEqual([]);
  });

  test("is run with what the form shows when somebody else changes it meanwhile", async () => {
    const parameters = { day: "monday", shop: "eu" };
    const properties = { day: { type: "string" }, shop: { type: "string" } };
    const id = await add("run-meanwhile", {
      parameters,
      parameter_openapi_schema: { type: "object", properties },
    });
    await using watched = await place.open(`/deployments/${id}`);
    const { page, complaints } = watched;
    await buttonIn(page, "Run").click();
    const dialog = page.getByRole("dialog", { name: "Run run-meanwhile" });
    await dialog.getByLabel("day", { exact: true }).fill("friday");
    await page.request.patch(`${place.server.url}/api/deployments/${id}`, {
      data: { parameters: { day: "monday", shop: "us", until: "noon" }, description: "After" },
    });
    await page.getByText("After", { exact: true }).waitFor({ state: "attached" });
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    const run = page.url().split("/").at(-1);
    const answer = await fetch(`${place.server.url}/api/flow_runs/${run}`);
    expect(await answer.json()).toMatchObject({
      parameters: { day: "friday", shop: "eu", until: "noon" },
    });
    expect(complaints).toEqual([]);
  });

  test("has its schedule changed, of which what is not typed stays", async () => {
    const schedule = {
      interval: 3600,
      anchor_date: "2026-01-01T00:30:00Z",
      timezone: "Asia/Tokyo",
    };
    const id = await add("timed", { schedules: [{ schedule, active: false, slug: "often" }] });
    await using watched = await place.open(`/deployments/${id}`);
    const { page, complaints } = watched;
    await buttonIn(page, "Edit: Every 1h (Asia/Tokyo)").click();
    const dialog = page.getByRole("dialog", { name: "Edit schedule" });
    await dialog.getByLabel("Rule").fill("7200");
    await dialog.getByLabel("If the previous run is still active").selectOption("skip");
    await dialog.getByText("Every 2h (Asia/Tokyo)").waitFor();
    await page.keyboard.press("Enter");
    await saved(page);
    await page.getByText("Every 2h (Asia/Tokyo)").waitFor();
    const { schedules } = await read(id);
    expect(schedules).toMatchObject([
      { active: false, slug: "often", overlap: "skip", schedule: { interval: 7200 } },
    ]);
    expect(Date.parse(schedules[0]?.schedule.anchor_date ?? "")).toBe(
      Date.parse(schedule.anchor_date),
    );
    expect(complaints).toEqual([]);
  });

  test("says of a wrong schedule what is wrong, at the field that it is about", async () => {
    const id = await add("untimed", {});
    await using watched = await place.open(`/deployments/${id}`);
    const { page } = watched;
    await buttonIn(page, "Add").click();
    const field = (label: string) => page.getByRole("dialog").getByLabel(label);
    const told = async (label: string): Promise<string> => {
      if ((await field(label).getAttribute("aria-invalid")) !== "true") return "";
      const ids = ((await field(label).getAttribute("aria-describedby")) ?? "").split(" ");
      const texts = ids.map((one) => page.locator(`[id="${one}"]`).textContent());
      return (await Promise.all(texts)).join(" ");
    };
    await field("Time zone").fill("Europe/Berln");
    // It is asked for again when the deployment changes, and is not there for a moment.
    await expect
      .poll(() => told("Time zone"), PATIENTLY)
      .toMatch(/^"Europe\/Berln" is not a time zone/);
    expect(await field("Rule").getAttribute("aria-invalid")).not.toBe("true");
    await field("Time zone").fill("Europe/Berlin");
    await field("Rule").fill("61 * * * *");
    await expect.poll(() => told("Rule"), PATIENTLY).toMatch(/^The minute field/);
  });
});
