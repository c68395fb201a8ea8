// Forms that are made from a schema: what they show is what is sent.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { makeAt } from "./fill.ts";
import { hasBrowser, type WatchedPage } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

const HOUR_MS = 3_600_000;

describe.skipIf(!hasBrowser)("a form made from a schema", () => {
  const place = sharedFilled();
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await (await fetch(`${place.server.url}/api${path}`)).json()) as Record<string, unknown>;
  const send = (page: Page, verb: string) =>
    page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).click();

  /** At the form that starts a run of a deployment with these parameters. */
  async function openRun(name: string, schema: object): Promise<WatchedPage> {
    const make = makeAt(place.server.url);
    const flow_id = place.server.filled.flow.id;
    const parameter_openapi_schema = { type: "object", ...schema };
    const { id } = await make("/deployments/", { name, flow_id, parameter_openapi_schema });
    const watched = await place.open(`/deployments/${id}`);
    await watched.page.getByRole("button", { name: "Run", exact: true }).click();
    return watched;
  }

  const parametersOfRun = async (page: Page): Promise<unknown> => {
    await page.waitForURL(/\/runs\//);
    return (await read(`/flow_runs/${page.url().split("/").at(-1)}`))["parameters"];
  };

  test("sends a required box that nobody ticked as no, and a required group with its defaults", async () => {
    const range = { type: "object", properties: { days: { type: "integer", default: 4 } } };
    await using watched = await openRun("untouched", {
      required: ["dry_run", "range"],
      properties: {
        dry_run: { type: "boolean" },
        range: { $ref: "#/definitions/Range" },
      },
      definitions: { Range: range },
    });
    const { page, complaints } = watched;
    await send(page, "Run");
    expect(await parametersOfRun(page)).toEqual({ dry_run: false, range: {} });
    expect(complaints).toEqual([]);
  });

  test("sends nothing of a group whose values were taken out again, and null where that is said", async () => {
    const orNull = { anyOf: [{ $ref: "#/definitions/Filter" }, { type: "null" }] };
    const properties = { of: { type: "string" }, sure: { type: "boolean" } };
    await using watched = await openRun("emptied", {
      required: ["must_say"],
      properties: {
        plain: { $ref: "#/definitions/Filter" },
        or_null: { ...orNull, default: null },
        must_say: orNull,
      },
      definitions: { Filter: { type: "object", properties, required: ["of", "sure"] } },
    });
    const { page, complaints } = watched;
    const fields = page.getByLabel("of *");
    for (const place of [0, 1, 2]) {
      await fields.nth(place).fill("eu");
      await fields.nth(place).fill("");
    }
    await send(page, "Run");
    expect(await parametersOfRun(page)).toEqual({ must_say: null });
    expect(complaints).toEqual([]);
  });

  test("ends where a group holds itself: that one is written as JSON", async () => {
    const child = { anyOf: [{ $ref: "#/definitions/Node" }, { type: "null" }], default: null };
    const properties = { name: { type: "string" }, child };
    await using watched = await openRun("tree", {
      properties: { tree: { $ref: "#/definitions/Node" } },
      definitions: { Node: { type: "object", properties, required: ["name"] } },
    });
    const { page, complaints } = watched;
    await page.getByLabel("name *").fill("root");
    await page.getByLabel("child").fill('{"name": "leaf"}');
    await send(page, "Run");
    expect(await parametersOfRun(page)).toEqual({
      tree: { name: "root", child: { name: "leaf" } },
    });
    expect(complaints).toEqual([]);
  });

  /** A run that has paused to ask what it left as inputs. */
  async function aPausedRun(inputs: Readonly<Record<string, string>>): Promise<string> {
    const make = makeAt(place.server.url);
    const { id } = await make("/flow_runs/", {
      flow_id: place.server.filled.flow.id,
      state: { type: "RUNNING" },
    });
    for (const [key, value] of Object.entries(inputs))
      await make(`/flow_runs/${id}/input`, { key, value });
    const state_details = {
      pause_key: "1",
      pause_timeout: new Date(Date.now() + HOUR_MS).toISOString(),
      run_input_keyset: {
        description: "ask-description",
        response: "ask-response",
        schema: "ask-schema",
      },
    };
    const state = { type: "PAUSED", state_details };
    await make(`/flow_runs/${id}/set_state`, { state, force: true });
    return id;
  }

  test("asks what a paused run wants to know, and takes no for an answer", async () => {
    const schema = { type: "object", properties: { approved: { type: "boolean" } } };
    const id = await aPausedRun({
      "ask-schema": JSON.stringify({ ...schema, required: ["approved"] }),
      "ask-description": "Shall **2.41** go out?",
    });
    await using watched = await place.open(`/runs/${id}`);
    const { page, complaints } = watched;
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("Shall 2.41 go out?").waitFor();
    await page.getByLabel("approved").waitFor();
    await send(page, "Resume");
    await page.getByText("Run resumed").waitFor();
    expect(await read(`/flow_runs/${id}/input/ask-response`)).toEqual({ approved: false });
    expect(complaints).toEqual([]);
  });

  test("answers nothing for who could not be shown what a paused run asks", async () => {
    const id = await aPausedRun({});
    await using watched = await place.open(`/runs/${id}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").waitFor();
    const resume = dialog.getByRole("button", { name: "Resume", exact: true });
    expect(await resume.isDisabled()).toBe(true);
  });
});
