import type { Database } from "@orchestrator/kernel/storage";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { aBlock, anAutomation, happen, listTestDeliveries } from "../../../testing/deliveries.ts";
import { COSTLY_TEMPLATE, TOO_MUCH, watchThreads } from "../../../testing/hostile.ts";
import { createTestDeployment } from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";

/** Variables like the one that is there. */
async function addVariables(db: Database, from: number, to: number): Promise<void> {
  const id = "'00000000-0000-4000-8000-' || (100000000000 + n)";
  await db.exclusively((session) =>
    session.execute(
      `insert into variables (workspace_id, id, created, updated, name, value, tags)
       with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to})
       select workspace_id, ${db.dialect.name === "sqlite" ? id : `(${id})::uuid`}, created, updated, 'v' || n, value, tags
       from variables, numbers where name = 'zone'`,
    ),
  );
}

describeEachApi("a template", (open) => {
  test("sees all that is stored of its automation, and none of what its event is not about", async () => {
    await using api = await open({ clock: manualClock("2026-11-14T09:00:00.000000Z") });
    const block = await aBlock(api, "slack-webhook", { url: "https://hooks.example.com/x" });
    await anAutomation(api, {
      type: "send-notification",
      block_document_id: block,
      subject:
        "{{ automation.enabled }} {{ automation.actions|length }} {{ firing.trigger.threshold }} {{ flow_run }} [{{ flow_run.name }}] {{ automation.created.year }}",
      body: "",
    });
    await happen(api, {});
    expect(await listTestDeliveries(api)).toMatchObject([{ subject: "True 1 1 None [] 2026" }]);
  });

  test("sees every variable that it names, however many there are, and all of them where they are not too many", async () => {
    await using api = await open();
    await api.post("/variables/", { name: "zone", value: "west" });
    await addVariables(api.ctx.db, 1, 9999);
    const block = await aBlock(api, "slack-webhook", { url: "https://hooks.example.com/x" });
    const message = { type: "send-notification", block_document_id: block, body: "" };
    await anAutomation(api, {
      subject: "{{ variables.zone }} {{ variables|length }}",
      ...message,
    });
    await happen(api);
    expect(await listTestDeliveries(api)).toMatchObject([{ subject: "west 10000" }]);
    await addVariables(api.ctx.db, 10_000, 10_000);
    await anAutomation(api, {
      subject: "{{ variables.zone }} of all variables",
      ...message,
    });
    await happen(api);
    const subjects = (await listTestDeliveries(api)).map(({ subject }) => subject);
    expect(new Set(subjects)).toEqual(new Set(["west 10000", "west of all variables"]));
    expect(subjects).toHaveLength(2);
    const failed = (await api.events()).filter(({ event }) => event.endsWith("action.failed"));
    expect(failed).toMatchObject([
      { payload: { reason: expect.stringContaining("at most 10000") } },
    ]);
  });

  test("with a loop is rendered on a thread, and sees the same there", async () => {
    await using api = await open({ clock: manualClock("2026-11-14T09:00:00.000000Z") });
    const threads = watchThreads(api);
    await api.post("/variables/", { name: "zone", value: "west" });
    const deployment = await createTestDeployment(api, { enforce_parameter_schema: false });
    const template =
      "{{ event.occurred.year }} {{ automation.name }} {{ deployment.name }} {{ variables.zone }} {{ event.payload.n }} {{ event.resource.labels['prefect.resource.name'] }}";
    const looped = `{% for i in [1] %}${template}{% endfor %}`;
    const n = 2 ** 60;
    const parameters = {
      plain: template,
      looped,
      placeholder: { __prefect_kind: "jinja", template: looped },
      typed: "{{ [event.payload.n]|list }}",
    };
    await anAutomation(api, { type: "run-deployment", deployment_id: deployment, parameters });
    await happen(api, { n });
    const runs = (await api.post("/flow_runs/filter", {})).body as { parameters: object }[];
    const text = `2026 tell  west ${n} ötter`;
    expect(runs[0]?.parameters).toEqual({
      plain: text,
      looped: text,
      placeholder: text,
      typed: [BigInt(String(n))],
    });
    expect(threads).toEqual(["renderTextsOnThread", "hydrateAction"]);
  });

  test("that takes too much fails its action", async () => {
    await using api = await open();
    const block = await aBlock(api, "slack-webhook", { url: "https://hooks.example.com/x" });
    const message = { type: "send-notification", block_document_id: block, subject: "" };
    await anAutomation(api, { ...message, body: COSTLY_TEMPLATE });
    await happen(api);
    expect(await listTestDeliveries(api)).toEqual([]);
    const failed = (await api.events()).filter(({ event }) => event.endsWith("action.failed"));
    expect(failed).toMatchObject([{ payload: { reason: expect.stringMatching(TOO_MUCH) } }]);
  });

  const variable = (name: unknown) => ({
    __prefect_kind: "workspace_variable",
    variable_name: name,
  });
  test.each([
    ["is itself the value of a variable", variable("greeting")],
    ["is within such a value", { __prefect_kind: "json", value: variable("greeting_json") }],
    ["comes by way of such a value", { __prefect_kind: "none", value: variable("greeting") }],
    ["is that of a variable which another one names", variable(variable("which"))],
  ])("sees the same where it %s", async (_title, template) => {
    await using api = await open();
    const greeting = "{{ event.event }} in the {{ variables.zone }}";
    const variables = {
      zone: "west",
      greeting,
      greeting_json: JSON.stringify(greeting),
      which: "greeting",
    };
    for (const [name, value] of Object.entries(variables))
      await api.post("/variables/", { name, value });
    const deployment = await createTestDeployment(api, { enforce_parameter_schema: false });
    const parameters = { text: { __prefect_kind: "jinja", template } };
    await anAutomation(api, { type: "run-deployment", deployment_id: deployment, parameters });
    await happen(api);
    const runs = await api.post("/flow_runs/filter", {});
    expect(runs.body).toMatchObject([{ parameters: { text: "x.happened in the west" } }]);
  });
});
