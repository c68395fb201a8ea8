// The answers are compared as text: once they are read, their members are in the order of
// JavaScript.

import { readJson } from "@orchestrator/exact-json";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { fillDueSchedules } from "./scheduling/scheduler/scheduler.service.ts";
import { createTestDeployment, createTestFlowRun, proposeFlow } from "./testing/run-requests.ts";
import { describeEachApi, type TestApi } from "./testing.ts";

const TEXT = '{"foo":{"b":1,"0":2},"10":[{"x":1,"1":2}],"2":"y"}';
const GIVEN = readJson(TEXT) as Readonly<Record<string, unknown>>;

const { signal } = new AbortController();

async function posted(api: TestApi, path: string, body: unknown): Promise<{ id: string }> {
  const answer = await api.post(path, body);
  expect([answer.status, answer.body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()]);
  return answer.body as { id: string };
}

const textOf = async (api: TestApi, path: string): Promise<string> => (await api.get(path)).text;

describeEachApi("members whose names look like indexes", (open) => {
  test("keep their places in the parameters, variables and states of runs", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, {
      parameters: GIVEN,
      context: GIVEN,
      job_variables: GIVEN,
    });
    const run = await textOf(api, `/flow_runs/${id}`);
    expect(run).toContain(`"parameters":${TEXT}`);
    expect(run).toContain(`"context":${TEXT}`);
    await proposeFlow(api, id, { type: "RUNNING", data: GIVEN });
    const listed = (await api.post("/flow_runs/filter", {})).text;
    expect(listed).toContain(`"job_variables":${TEXT}`);
    expect(listed).toContain(`"data":${TEXT}`);
  });

  test("keep their places from a deployment over its schedule to its runs", async () => {
    const clock = manualClock("2026-11-14T12:00:00Z");
    await using api = await open({ clock });
    const id = await createTestDeployment(api, {
      parameters: GIVEN,
      job_variables: GIVEN,
      schedules: [
        {
          schedule: { cron: "0 * * * *" },
          parameters: readJson('{"z":1,"7":2}'),
          max_scheduled_runs: 1,
        },
      ],
    });
    const deployment = await textOf(api, `/deployments/${id}`);
    expect(deployment).toContain(`"parameters":${TEXT}`);
    expect(deployment).toContain(`"job_variables":${TEXT}`);
    expect(deployment).toContain('"parameters":{"z":1,"7":2}');
    await fillDueSchedules(api.ctx, signal);
    expect((await api.post("/flow_runs/filter", {})).text).toContain(
      `"parameters":${TEXT.slice(0, -1)},"z":1,"7":2}`,
    );
    const parameters = readJson(
      '{"z":{"__prefect_kind":"json","value":"{\\"a\\":1,\\"3\\":2}"},"1":3}',
    );
    const made = await api.post(`/deployments/${id}/create_flow_run`, { parameters });
    expect(made.text).toContain(`"parameters":${TEXT.slice(0, -1)},"z":{"a":1,"3":2},"1":3}`);
  });

  test("keep their places in variables, artifacts, events and pools", async () => {
    await using api = await open();
    await posted(api, "/variables/", { name: "v", value: GIVEN });
    expect(await textOf(api, "/variables/name/v")).toContain(`"value":${TEXT}`);
    const { id } = await posted(api, "/artifacts/", { key: "a", data: GIVEN });
    expect(await textOf(api, `/artifacts/${id}`)).toContain(`"data":${TEXT}`);
    const event = {
      id: "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b",
      occurred: api.ctx.clock.now(),
      event: "order.paid",
      resource: { "prefect.resource.id": "order" },
      payload: GIVEN,
    };
    expect((await api.post("/events", [event])).status).toBe(204);
    const events = await api.post("/events/filter", {
      filter: { event: { name: ["order.paid"] } },
    });
    expect(events.text).toContain(`"payload":${TEXT}`);
    const base_job_template = { job_configuration: GIVEN, variables: { type: "object" } };
    await posted(api, "/work_pools/", { name: "main", type: "process", base_job_template });
    expect(await textOf(api, "/work_pools/main")).toContain(`"job_configuration":${TEXT}`);
  });

  test("keep their places in blocks, sealed or masked, and when they are changed", async () => {
    await using api = await open();
    const type = await posted(api, "/block_types/", { name: "Plain", slug: "plain" });
    const fields = {
      type: "object",
      properties: { open: { type: "object" }, closed: { type: "object" } },
      secret_fields: ["closed.*"],
    };
    await posted(api, "/block_schemas/", { block_type_id: type.id, fields });
    const data = { open: GIVEN, closed: GIVEN };
    const { id } = await posted(api, "/block_documents/", {
      name: "one",
      block_type_id: type.id,
      data,
    });
    const masked = TEXT.replace('"b":1,"0":2', '"b":"********","0":"********"')
      .replace('[{"x":1,"1":2}]', '"********"')
      .replace('"y"', '"********"');
    const path = `/block_documents/${id}`;
    expect(await textOf(api, path)).toContain(`"data":{"open":${TEXT},"closed":${masked}}`);
    const changed = { data: { open: readJson('{"q":1,"5":2}') } };
    expect((await api.patch(path, changed)).status).toBe(204);
    expect(await textOf(api, `${path}?include_secrets=true`)).toContain(
      `"data":{"open":{"q":1,"5":2},"closed":${TEXT}}`,
    );
  });
});
