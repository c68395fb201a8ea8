// Every kind of action that the contract knows, built by hand in a real browser.
import { Action } from "@orchestrator/contract";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BuilderServer,
  beginBlank,
  buttonIn,
  save,
  saveAutomation,
  saveUnchanged,
  startBuilderServer,
  withoutIds,
} from "./automation-builder.ts";
import { barriersOf } from "./barriers.ts";
import { choose } from "./choose.ts";
import { hasBrowser } from "./open-page.ts";

type ActionType = Action["type"];
type Fields = Readonly<Record<string, unknown>>;
/** Fills the form of an action, and says what has to be stored of it besides its kind. */
type FillForm = (form: Locator, server: BuilderServer) => Promise<Fields>;

/** The kinds and their fields as the server takes them. */
const KINDS = (
  Action as unknown as {
    readonly oneOf: readonly { readonly properties: Record<string, { const?: ActionType }> }[];
  }
).oneOf.map(({ properties: { type, ...fields } }) => ({
  type: type?.const ?? "do-nothing",
  fields: Object.keys(fields),
}));

/** Adds an action to the list that begins with this word. */
async function add(page: Page, place: number, type: ActionType, word = "Action"): Promise<Locator> {
  const adding = buttonIn(page, "Add an action");
  await (word === "Action" ? adding.first() : adding.last()).click();
  const form = page.getByRole("region", { name: `${word} ${place}`, exact: true });
  await form.getByLabel(`${word} ${place}`, { exact: true }).selectOption(type);
  return form;
}

const nothing: FillForm = async () => ({});

/** What an action is about, chosen by its name. */
const chosen =
  (label: string, field: string, of: (server: BuilderServer) => [id: string, name: string]) =>
  async (form: Locator, server: BuilderServer): Promise<Fields> => {
    const [id, name] = of(server);
    await choose(form, label, name);
    return { source: "selected", [field]: id };
  };

const ofDeployment = chosen("Deployment", "deployment_id", ({ filled }) => [
  filled.deployment.id,
  "nightly-import/every-night",
]);
const ofPool = chosen("Work pool", "work_pool_id", ({ filled: { pool } }) => [pool.id, pool.name]);
const ofQueue = chosen("Work queue", "work_queue_id", ({ queue }) => [queue, "local/urgent"]);
const ofAutomation = chosen("Automation", "automation_id", ({ filled: { automations } }) => [
  automations.automation,
  "Tell the shop when orders fail",
]);
const ofMonitor = chosen("Monitor", "monitor_id", ({ monitor }) => [monitor, "Web shop"]);

/** A kind that is not here does not compile, and one that has no form is not found in the page. */
const FORMS: Readonly<Record<ActionType, FillForm>> = {
  "do-nothing": nothing,
  "cancel-flow-run": nothing,
  "suspend-flow-run": nothing,
  "resume-flow-run": nothing,
  "delete-flow-run": nothing,
  "pause-deployment": ofDeployment,
  "resume-deployment": ofDeployment,
  "pause-work-pool": ofPool,
  "resume-work-pool": ofPool,
  "pause-work-queue": ofQueue,
  "resume-work-queue": ofQueue,
  "pause-automation": ofAutomation,
  "resume-automation": ofAutomation,
  "run-check": ofMonitor,
  "pause-monitor": ofMonitor,
  "resume-monitor": ofMonitor,
  "run-deployment": async (form, server) => {
    const target = await ofDeployment(form, server);
    await form.getByLabel("Source *").fill("{{ event.resource.name }}");
    await form.getByLabel("limit").fill("7");
    await form.getByText("Delay and job variables").click();
    await form.getByLabel("Start after, in seconds").fill("90");
    await form.getByLabel("Job variables").fill('{"image": "orders:2", "cpu": 2}');
    return {
      ...target,
      parameters: { source: "{{ event.resource.name }}", limit: 7 },
      schedule_after: 90,
      job_variables: { image: "orders:2", cpu: 2 },
    };
  },
  "change-flow-run-state": async (form) => {
    await form.getByLabel("State", { exact: true }).selectOption({ label: "Crashed" });
    await form.getByLabel("Name", { exact: true }).fill("Given up");
    await form.getByLabel("Message").fill("{{ event.payload.why }}");
    await form.getByLabel("Force (skip orchestration rules)").check();
    return {
      state: "CRASHED",
      name: "Given up",
      message: "{{ event.payload.why }}",
      force: true,
    };
  },
  "send-notification": async (form, { filled }) => {
    await choose(form, "Notification block", "shop-chat (Slack Webhook)");
    await form.getByLabel("Subject").fill("Lost: {{ event.resource.name }}");
    await form.getByLabel("Body").fill("First line\n{{ event.event }}");
    return {
      block_document_id: filled.automations.block,
      subject: "Lost: {{ event.resource.name }}",
      body: "First line\n{{ event.event }}",
    };
  },
  "call-webhook": async (form, { hook }) => {
    await choose(form, "Webhook block", "stock-keeper (Webhook)");
    await form.getByLabel("Payload").fill('{"parcel": "{{ event.resource.name }}", "n": 2}');
    return { block_document_id: hook, payload: { parcel: "{{ event.resource.name }}", n: 2 } };
  },
};

describe.skipIf(!hasBrowser)("a person who builds actions", () => {
  let server: BuilderServer;
  beforeAll(async () => {
    server = await startBuilderServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  test("builds one of every kind, which are stored as built and stay so when saved again", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "Everything at once");
    await page.getByRole("combobox", { name: "Events" }).fill("parcel.everything");
    const wanted: unknown[] = [];
    for (const [i, { type, fields }] of KINDS.entries()) {
      const form = await add(page, i + 1, type);
      const filled = await FORMS[type](form, server);
      // A field that the server takes and the form does not have would stay unknown to most.
      expect(Object.keys(filled).sort(), type).toEqual(fields.sort());
      wanted.push({ type, ...filled });
    }
    const offered = page.getByRole("combobox", { name: "Action 1", exact: true }).locator("option");
    expect(await offered.count()).toBe(KINDS.length);
    expect(await barriersOf(page)).toEqual([]);
    expect((await saveAutomation(page, server)).actions).toEqual(wanted);
    await saveUnchanged(page, server);
    expect(complaints).toEqual([]);
  });

  test("lets the event say what an action is about", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "Whatever the event names");
    await page.getByRole("combobox", { name: "Events" }).fill("parcel.named");
    const kinds = KINDS.filter(({ fields }) => fields.includes("source"));
    for (const [i, { type }] of kinds.entries()) {
      const form = await add(page, i + 1, type);
      await form.getByText("The one named by the event").click();
    }
    const { actions } = await saveAutomation(page, server);
    expect(actions.map(({ type }) => type)).toEqual(kinds.map(({ type }) => type));
    for (const action of actions as readonly Fields[]) {
      const ids = Object.keys(action).filter((key) => key.endsWith("_id"));
      expect(action["source"]).toBe("inferred");
      expect(ids.map((key) => action[key] ?? null)).toEqual([null]);
    }
    await page.getByText("the one named by the event").first().waitFor();
    await saveUnchanged(page, server);
    expect(complaints).toEqual([]);
  });

  test("is shown what is wrong where it was folded away", async () => {
    await using watched = await server.open("/automations/new");
    const { page } = watched;
    await beginBlank(page, "Half written");
    await page.getByRole("combobox", { name: "Events" }).fill("parcel.half");
    await page.getByText("Actions on trigger").click();
    const form = await add(page, 1, "run-deployment", "Action on trigger");
    await form.getByText("The one named by the event").click();
    const variables = form.getByLabel("Job variables");
    await form.getByText("Delay and job variables").click();
    await variables.fill('{"image": ');
    await form.getByText("Delay and job variables").click();
    await page.getByText("Actions on trigger").click();
    await variables.waitFor({ state: "hidden" });
    await buttonIn(page, "Create automation").click();
    await form.getByText("Not valid JSON").waitFor();
    await variables.fill('{"image": "orders:2"}');
    expect((await saveAutomation(page, server)).actions_on_trigger).toMatchObject([
      { job_variables: { image: "orders:2" } },
    ]);
  });

  test("adds actions on trigger, removes an action and sees the rest done", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "Two lists");
    await page.getByLabel("Tags").fill("shop, parcels");
    await page.getByRole("combobox", { name: "Events" }).fill("parcel.twice");
    await add(page, 1, "do-nothing");
    await add(page, 2, "cancel-flow-run");
    await buttonIn(page, "Remove action 2").click();
    await page.getByText("Actions on trigger").click();
    const firing = await add(page, 1, "do-nothing", "Action on trigger");
    // What is opened stays open, whatever is in it.
    await buttonIn(page, "Remove action on trigger 1").click();
    await firing.waitFor({ state: "detached" });
    await add(page, 1, "do-nothing", "Action on trigger");
    const stored = await saveAutomation(page, server);
    expect(stored.tags).toEqual(["shop", "parcels"]);
    expect(stored.actions).toEqual([{ type: "do-nothing" }]);
    expect(stored.actions_on_trigger).toEqual([{ type: "do-nothing" }]);
    await saveUnchanged(page, server);
    await server.emit("parcel.twice", { "orchestrator.resource.id": "parcel.2" });
    const table = page.getByRole("region", { name: "Activity" });
    await table.getByText("Do nothing (record only)").nth(3).waitFor();
    expect(await table.getByText("Succeeded", { exact: true }).count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  test("takes the first of two calls back, and the second keeps what it sends", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "One call is enough");
    await page.getByRole("combobox", { name: "Events" }).fill("parcel.called");
    const webhook = { block_document_id: server.hook };
    for (const [i, payload] of ["the first", "the second"].entries()) {
      const form = await add(page, i + 1, "call-webhook");
      await choose(form, "Webhook block", "stock-keeper (Webhook)");
      await form.getByLabel("Payload").fill(payload);
    }
    await buttonIn(page, "Remove action 1").click();
    await buttonIn(page, "Remove action 2").waitFor({ state: "detached" });
    expect(await page.getByLabel("Payload").inputValue()).toBe("the second");
    expect((await saveAutomation(page, server)).actions).toMatchObject([
      { type: "call-webhook", ...webhook, payload: "the second" },
    ]);
    expect(complaints).toEqual([]);
  });

  test("cannot save JSON that is half written, and saves it once it is whole", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "Written");
    await page.getByRole("combobox", { name: "Events" }).fill("parcel.written");
    const json = page.getByLabel("The whole automation in the API's format");
    const whole = JSON.stringify({ ...JSON.parse(await json.inputValue()), name: "Written anew" });
    await json.fill(`${whole.slice(0, -1)},}`);
    await buttonIn(page, "Create automation").click();
    await page.locator("textarea:invalid:focus").waitFor();
    expect(page.url()).toContain("/automations/new");
    // Where the forms are gone on with, the JSON follows them and can be read.
    await page.getByLabel("Name", { exact: true }).first().fill("Written by form");
    expect(JSON.parse(await json.inputValue())).toMatchObject({ name: "Written by form" });
    await json.fill(whole);
    expect((await saveAutomation(page, server)).name).toBe("Written anew");
    expect(complaints).toEqual([]);
  });

  test("sees the deployment's own parameters where a field is left or emptied", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "As the deployment has it");
    await page.getByRole("combobox", { name: "Events" }).fill("parcel.own");
    const form = await add(page, 1, "run-deployment");
    const target = await ofDeployment(form, server);
    expect(await form.getByLabel("Source *").inputValue()).toBe("warehouse");
    const limit = form.getByLabel("limit");
    expect(await limit.inputValue()).toBe("500");
    await limit.fill("");
    expect(await limit.getAttribute("placeholder")).toBe("500");
    expect((await saveAutomation(page, server)).actions).toMatchObject([
      { ...target, parameters: {} },
    ]);
    expect(complaints).toEqual([]);
  });

  test("answers with no for a required box that nobody ticked", async () => {
    const id = await server.deploy("must-say", {
      type: "object",
      properties: { dry_run: { type: "boolean" } },
      required: ["dry_run"],
    });
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "Not dry");
    await page.getByRole("combobox", { name: "Events" }).fill("parcel.wet");
    const form = await add(page, 1, "run-deployment");
    await choose(form, "Deployment", "nightly-import/must-say");
    await form.getByLabel("dry_run").waitFor();
    expect((await saveAutomation(page, server)).actions).toMatchObject([
      { deployment_id: id, parameters: { dry_run: false } },
    ]);
    expect(complaints).toEqual([]);
  });

  test("deletes an automation, which the list then no longer has", async () => {
    await using watched = await server.open("/automations", { isOwn: true });
    const { page } = watched;
    const address = new URL("/api/automations/", page.url()).href;
    const automation = {
      name: "Short-lived",
      trigger: { type: "event", posture: "Reactive", threshold: 1, within: 0 },
      actions: [{ type: "do-nothing" }],
    };
    expect((await page.request.post(address, { data: automation })).ok()).toBe(true);
    // Nobody tells the page of changes.
    await page.routeWebSocket(/\/events\/out/, () => {});
    await page.reload();
    const link = page.getByRole("link", { name: "Short-lived", exact: true });
    await link.click();
    await buttonIn(page, "Delete").click();
    await buttonIn(page, "Delete automation").click();
    await page.waitForURL(/\/automations$/);
    await page.getByLabel("Search automations by name").waitFor();
    await link.waitFor({ state: "detached" });
  });

  test("changes an automation as it is now, not as it was when it was looked at", async () => {
    await using watched = await server.open("/automations", { isOwn: true });
    const { page } = watched;
    const { automation: id } = server.filled.automations;
    // Nobody tells the page of changes.
    await page.routeWebSocket(/\/events\/out/, () => {});
    const { name, actions, trigger } = await server.read(id);
    await page.goto(new URL(`/automations/${id}`, page.url()).href);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.request.put(new URL(`/api/automations/${id}`, page.url()).href, {
      data: { name, description: "What a colleague wrote", actions, trigger: withoutIds(trigger) },
    });
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: `Edit ${name}` }).waitFor();
    await page.getByLabel("Tags").fill("mine");
    await save(page);
    expect(await server.read(id)).toMatchObject({
      description: "What a colleague wrote",
      tags: ["mine"],
    });
  });
});
