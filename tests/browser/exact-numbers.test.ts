// Numbers that a page cannot calculate with: others count on every digit of them, and on whether
// they are floats.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { beginBlank, buttonIn, save } from "./automation-builder.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

const LONG = "12345678901234567890";

describe.skipIf(!hasBrowser)("a number that a person writes", () => {
  const place = sharedFilled();
  const stored = async (path: string): Promise<string> =>
    (await fetch(`${place.server.url}/api${path}`)).text();
  const idIn = (page: Page): string => page.url().split("/").at(-1) ?? "";

  test("stays as it was typed into the JSON of an automation, also when the rest is changed by forms", async () => {
    await using watched = await place.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "Hand numbers on");
    const editor = page.getByLabel("The whole automation in the API's format");
    const parameters = `{"order":${LONG},"share":1.0}`;
    const action = `{"type":"run-deployment","source":"inferred","parameters":${parameters},"job_variables":{"most":1e5}}`;
    const text = (await editor.inputValue()).replace('"actions": []', `"actions": [${action}]`);
    await editor.fill(text);
    await page.getByText("Job variables", { exact: true }).waitFor({ state: "attached" });
    expect(await editor.inputValue()).toBe(text);
    await buttonIn(page, "Create automation").click();
    await page.waitForURL(/\/automations\/[0-9a-f-]{36}$/);
    const path = `/automations/${idIn(page)}`;
    const kept = [`"order":${LONG}`, '"share":1.0', '"most":100000.0'];
    for (const part of kept) expect(await stored(path)).toContain(part);

    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByLabel("Description").fill("With every digit");
    expect(await editor.inputValue()).toContain(`"order": ${LONG}`);
    await save(page);
    for (const part of ["With every digit", ...kept]) expect(await stored(path)).toContain(part);
    expect(complaints).toEqual([]);
  });

  test("is kept in a variable and shown with all its digits", async () => {
    await using watched = await place.open("/variables");
    const { page, complaints } = watched;
    await buttonIn(page, "New variable").click();
    await page.getByLabel("Name", { exact: true }).fill("order");
    await page.getByLabel("Value").fill(`[${LONG}, 1.0]`);
    await buttonIn(page, "Save").click();
    await page.getByText(`[${LONG},1.0]`).waitFor();
    await buttonIn(page, "Edit order").click();
    await page.getByLabel("Tags").fill("shop");
    await buttonIn(page, "Save").click();
    await page.getByText("shop", { exact: true }).waitFor();
    expect(await stored("/variables/name/order")).toContain(`"value":[${LONG},1.0]`);
    expect(complaints).toEqual([]);
  });

  test("reaches a run by the form of its parameters, and is shown there as it is", async () => {
    const make = makeAt(place.server.url);
    const { flow } = place.server.filled;
    const either = { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] };
    const properties = {
      order: { type: "integer" },
      share: { type: ["number", "null"] },
      memory: { ...either, default: null },
      swap: either,
      name: either,
    };
    const deployment = await make("/deployments/", {
      name: "numbers",
      flow_id: flow.id,
      parameter_openapi_schema: { type: "object", properties },
    });
    await using watched = await place.open(`/deployments/${deployment.id}`);
    const { page, complaints } = watched;
    await buttonIn(page, "Run").click();
    await page.getByLabel("order").fill(LONG);
    await page.getByLabel("share").pressSequentially("1.05");
    await page.getByLabel("share").press("Backspace");
    await page.getByLabel("memory").fill("512m");
    await page.getByLabel("swap").fill("-1");
    await page.getByLabel("name").fill('"12"');
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    const texts = '"memory":"512m","swap":-1,"name":"12"';
    const parameters = `"parameters":{"order":${LONG},"share":1.0,${texts}}`;
    expect(await stored(`/flow_runs/${idIn(page)}`)).toContain(parameters);
    await page.getByRole("tab", { name: "Parameters" }).click();
    await page.getByText(`"order": ${LONG}`).waitFor();
    expect(complaints).toEqual([]);
  });

  test("is chosen from a list, and stays a float where another line of its list is changed", async () => {
    const properties = `{"order":{"enum":[1,${LONG}]},"shares":{"type":"array","items":{"type":"number"}}}`;
    const made = await fetch(`${place.server.url}/api/deployments/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"name":"choices","flow_id":"${place.server.filled.flow.id}","parameters":{"order":${LONG},"shares":[1.0,2.0]},
        "parameter_openapi_schema":{"type":"object","properties":${properties}}}`,
    });
    const { id } = (await made.json()) as { id: string };
    await using watched = await place.open(`/deployments/${id}`);
    const { page, complaints } = watched;
    await buttonIn(page, "Run").click();
    expect(await page.getByLabel("order").inputValue()).toBe(LONG);
    await page.getByLabel("order").selectOption("1");
    await page.getByLabel("order").selectOption(LONG);
    expect(await page.getByLabel("shares").inputValue()).toBe("1.0\n2.0");
    await page.getByLabel("shares").fill("1.0\n2.5");
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    const run = await stored(`/flow_runs/${idIn(page)}`);
    expect(run).toContain(`"order":${LONG}`);
    expect(run).toContain('"shares":[1.0,2.5]');
    expect(complaints).toEqual([]);
  });

  test("that is too large for any is refused at its field, and nothing is sent", async () => {
    const make = makeAt(place.server.url);
    const either = { anyOf: [{ type: "string" }, { type: "number" }] };
    const properties = {
      share: { type: "number" },
      memory: either,
      shares: { type: "array", items: { type: "number" } },
      more: {},
    };
    const deployment = await make("/deployments/", {
      name: "too-large",
      flow_id: place.server.filled.flow.id,
      parameter_openapi_schema: { type: "object", properties },
    });
    await using watched = await place.open(`/deployments/${deployment.id}`);
    const { page } = watched;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    await buttonIn(page, "Run").click();
    const run = page.getByRole("dialog").getByRole("button", { name: "Run", exact: true });
    const texts = { memory: "1e400", shares: "1.5\n-1e400", more: '{"a":[1e400]}', share: "1e400" };
    for (const [name, text] of Object.entries(texts)) {
      const field = page.getByLabel(name, { exact: true });
      await field.pressSequentially(text);
      const isRefused = "document.activeElement.validity.valid === false";
      await page.waitForFunction(isRefused);
      // The browser itself says it of a field for numbers.
      if (name !== "share") await page.getByText("A number in it is too large").waitFor();
      await run.click();
      await field.press("ControlOrMeta+a");
      await field.press("Delete");
    }
    expect(sent.filter((url) => url.includes("create_flow_run"))).toEqual([]);
    await page.getByLabel("memory").fill("1e300");
    await run.click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    expect(await stored(`/flow_runs/${idIn(page)}`)).toContain('"parameters":{"memory":1e+300}');
  });

  test("that is too large makes no variable, unless it is a text", async () => {
    await using watched = await place.open("/variables");
    const { page } = watched;
    await buttonIn(page, "New variable").click();
    await page.getByLabel("Name", { exact: true }).fill("beyond");
    await page.getByLabel("Value").fill("[1e400]");
    await page.getByText("A number in it is too large").waitFor();
    expect(await buttonIn(page, "Save").isDisabled()).toBe(true);
    await page.getByLabel("Value").fill('"1e400"');
    await buttonIn(page, "Save").click();
    await page.getByText("1e400", { exact: true }).waitFor();
    expect(await stored("/variables/name/beyond")).toContain('"value":"1e400"');
  });
});
