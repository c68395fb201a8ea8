import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { joinedContext } from "../../reacting/automations/actions/joined-context.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { createDeploymentRun, createDeploymentRuns } from "./create-run.service.ts";
import { updateDeployment } from "./update-deployment.service.ts";

interface Run {
  readonly id: string;
  readonly [key: string]: unknown;
}

async function aDeployment(api: TestApi, given: object = {}): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const { status, body } = await api.post("/deployments/", { name: "nightly", flow_id, ...given });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as { id: string }).id;
}

const schema = {
  type: "object",
  properties: { x: { type: "integer" }, where: { type: "string" } },
  required: ["x"],
};

describeEachApi("a run of a deployment", (open) => {
  test("takes what is not given from the deployment", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    const id = await aDeployment(api, {
      version: "3",
      tags: ["a", "b"],
      parameters: { x: 1, where: "eu" },
      labels: { team: "data" },
      work_pool_name: "local",
    });
    const answer = await api.post(`/deployments/${id}/create_flow_run`, {});
    expect(answer).toMatchObject({
      status: 201,
      body: {
        deployment_id: id,
        deployment_version: "3",
        parameters: { x: 1, where: "eu" },
        tags: ["a", "b"],
        labels: { team: "data", "orchestrator.deployment.id": id },
        work_pool_name: "local",
        work_queue_name: "default",
        auto_scheduled: false,
        state_type: "SCHEDULED",
        state_name: "Scheduled",
      },
    });
    const event = (await api.events()).at(-1);
    expect(event?.event).toBe("orchestrator.flow-run.Scheduled");
  });

  test("names in its first event all that it belongs to", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    await api.post("/flows/", { name: "etl", tags: ["flow-tag"] });
    const id = await aDeployment(api, { tags: ["deployment-tag"], work_pool_name: "local" });
    await api.post(`/deployments/${id}/create_flow_run`, { tags: ["run-tag"] });
    const named = (await api.events())
      .at(-1)
      ?.related.map((labels) => [
        labels["orchestrator.resource.role"],
        labels["orchestrator.resource.name"] ?? labels["orchestrator.resource.id"],
      ]);
    expect(named).toEqual([
      ["flow", "etl"],
      ["deployment", "nightly"],
      ["work-queue", "default"],
      ["work-pool", "local"],
      ["tag", "orchestrator.tag.deployment-tag"],
      ["tag", "orchestrator.tag.flow-tag"],
      ["tag", "orchestrator.tag.run-tag"],
    ]);
  });

  test("names no queue in its event once the deployment's is deleted", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    await api.post("/work_pools/local/queues", { name: "fast" });
    const id = await aDeployment(api, { work_pool_name: "local", work_queue_name: "fast" });
    expect((await api.delete("/work_pools/local/queues/fast")).status).toBe(204);
    await api.post(`/deployments/${id}/create_flow_run`, {});
    const roles = (await api.events())
      .at(-1)
      ?.related.map((labels) => labels["orchestrator.resource.role"]);
    expect(roles).toEqual(["flow", "deployment"]);
  });

  test("is given what its caller says, on top of the deployment", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    const id = await aDeployment(api, {
      tags: ["a"],
      parameters: { x: 1, y: 1 },
      work_pool_name: "local",
    });
    const scheduled_time = "2030-01-01T00:00:00.000000Z";
    const answer = await api.post(`/deployments/${id}/create_flow_run`, {
      name: "mine",
      tags: ["b", "a"],
      parameters: { y: 2 },
      labels: { who: "me" },
      context: { c: 1 },
      work_queue_name: "fast",
      job_variables: { env: { A: "1" } },
      state: { type: "SCHEDULED", message: "later", state_details: { scheduled_time } },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        name: "mine",
        tags: ["a", "b"],
        parameters: { x: 1, y: 2 },
        labels: { who: "me" },
        context: { c: 1 },
        work_queue_name: "fast",
        job_variables: { env: { A: "1" } },
        expected_start_time: scheduled_time,
        next_scheduled_start_time: scheduled_time,
        state: { message: "later" },
      },
    });
  });

  test("is the same run for the same idempotency key", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const body = { idempotency_key: "once" };
    const first = await api.post(`/deployments/${id}/create_flow_run`, body);
    const second = await api.post(`/deployments/${id}/create_flow_run`, body);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect((second.body as Run).id).toBe((first.body as Run).id);
  });

  test("keeps that it has no job variables only with an idempotency key", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const variables = async (body: object) =>
      ((await api.post(`/deployments/${id}/create_flow_run`, body)).body as Run)["job_variables"];
    expect(await variables({ job_variables: null, idempotency_key: "a" })).toBe(null);
    expect(await variables({ idempotency_key: "b" })).toEqual({});
    expect(await variables({ job_variables: null })).toEqual({});
  });

  test("has its parameters worked out and checked", async () => {
    await using api = await open();
    await api.post("/variables/", { name: "region", value: "eu" });
    const where = { __prefect_kind: "workspace_variable", variable_name: "region" };
    const id = await aDeployment(api, { parameter_openapi_schema: schema, parameters: { where } });
    const run = (parameters: object, more: object = {}) =>
      api.post(`/deployments/${id}/create_flow_run`, { parameters, ...more });
    expect(await run({ x: 1 })).toMatchObject({
      status: 201,
      body: { parameters: { x: 1, where: "eu" } },
    });
    expect(await run({})).toMatchObject({ status: 422 });
    expect(await run({ x: "one" })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("x") },
    });
    expect(await run({ x: "one" }, { enforce_parameter_schema: false })).toMatchObject({
      status: 201,
    });
    const broken = { x: { __prefect_kind: "json", value: "{" } };
    expect(await run(broken)).toMatchObject({ status: 400 });
    expect(await run({ x: 1, big: "y".repeat(600_000) })).toMatchObject({ status: 422 });
  });

  test("cannot give the parameter of which the schema leads nowhere", async () => {
    await using api = await open();
    const broken = { properties: { x: { $ref: "#/definitions/X" }, y: { type: "integer" } } };
    const id = await aDeployment(api, { parameter_openapi_schema: broken, parameters: { y: 1 } });
    const run = (parameters: object) =>
      api.post(`/deployments/${id}/create_flow_run`, { parameters });
    expect(await run({ y: 2 })).toMatchObject({ status: 201 });
    expect(await run({ x: 1 })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("#/definitions/X") },
    });
  });

  test("with parameters that do not fit is a conflict for the established clients", async () => {
    await using api = await open({ dialect: "prefect" });
    const id = await aDeployment(api, { parameter_openapi_schema: schema });
    const answer = await api.post(`/deployments/${id}/create_flow_run`, {
      parameters: { x: "one" },
    });
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining("x") } });
  });

  test("cannot be checked without a schema", async () => {
    await using api = await open();
    const id = await aDeployment(api, { parameter_openapi_schema: null });
    expect(await api.post(`/deployments/${id}/create_flow_run`, {})).toMatchObject({ status: 409 });
    const unchecked = { enforce_parameter_schema: false };
    expect(await api.post(`/deployments/${id}/create_flow_run`, unchecked)).toMatchObject({
      status: 201,
    });
  });

  test("cannot choose a queue where the deployment has no pool", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const answer = await api.post(`/deployments/${id}/create_flow_run`, {
      work_queue_name: "fast",
    });
    expect(answer.status).toBe(400);
  });

  test("is made together with others, each for itself", async () => {
    await using api = await open();
    const id = await aDeployment(api, { parameter_openapi_schema: schema });
    const bodies = [
      { parameters: { x: 1 } },
      { parameters: {} },
      { parameters: { x: 2 }, name: "two" },
    ];
    const answer = await api.post(`/deployments/${id}/create_flow_run/bulk`, bodies);
    const { results } = answer.body as {
      results: { flow_run_id: string; status: string; error: string | null }[];
    };
    expect(results.map(({ status }) => status)).toEqual(["CREATED", "FAILED", "CREATED"]);
    expect(results[1]).toMatchObject({ flow_run_id: null, error: expect.stringContaining("x") });
    expect(await api.get(`/flow_runs/${results[2]?.flow_run_id}`)).toMatchObject({
      body: { name: "two" },
    });
    const many = Array.from({ length: 101 }, () => ({}));
    expect(await api.post(`/deployments/${id}/create_flow_run/bulk`, many)).toMatchObject({
      status: 400,
    });
  });
});

describeEachApi("whoever serves deployments", (open) => {
  test("is offered their due runs, the longest waiting first, and makes them ready", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const at = async (scheduled_time: string, name: string) => {
      const state = { type: "SCHEDULED", state_details: { scheduled_time } };
      await api.post(`/deployments/${id}/create_flow_run`, { name, state });
    };
    await at("2026-01-02T00:00:00Z", "second");
    await at("2026-01-01T00:00:00Z", "first");
    await at("2099-01-01T00:00:00Z", "later");
    await api.post(`/deployments/${id}/create_flow_run`, {
      name: "running",
      state: { type: "RUNNING" },
    });
    const poll = async (body: object) => {
      const answer = await api.post("/deployments/get_scheduled_flow_runs", {
        deployment_ids: [id],
        ...body,
      });
      expect(answer.status).toBe(200);
      return (answer.body as { name: string }[]).map(({ name }) => name);
    };
    expect(await poll({ scheduled_before: "2026-06-01 00:00:00+00:00" })).toEqual([
      "first",
      "second",
    ]);
    expect(await poll({ limit: 1 })).toEqual(["first"]);
    expect(await poll({})).toEqual(["first", "second", "later"]);
    expect(
      await api.post("/deployments/get_scheduled_flow_runs", { deployment_ids: [] }),
    ).toMatchObject({ body: [] });
    const [polls] = [...api.ctx.polls.take().values()];
    expect([...(polls?.deployments.keys() ?? [])]).toEqual([id]);
  });
});

describeEachApi("a run of a deployment that is changed in this moment", (open) => {
  /**
   * The API on a database where something happens once between what is read of the deployment and
   * the run.
   */
  function interrupted(api: TestApi, happens: () => Promise<unknown>): OrchestratorContext {
    const { db } = api.ctx;
    let happening: Promise<unknown> | null = null;
    const write: typeof db.write = async (workspaceId, work) => {
      happening ??= happens();
      await happening;
      return db.write(workspaceId, work);
    };
    return { ...api.ctx, db: { ...db, in: db.in.bind(db), system: db.system, write } };
  }

  test("is made of what it has become", async () => {
    await using api = await open();
    const id = await aDeployment(api, { version: "1", parameters: { x: 1 } });
    const ctx = interrupted(api, () =>
      api.patch(`/deployments/${id}`, { version: "2", parameters: { x: 2 } }),
    );
    const { json } = await createDeploymentRun(ctx, openScope(""), { id, body: {} });
    expect(JSON.parse(json)).toMatchObject({ deployment_version: "2", parameters: { x: 2 } });
    expect(await api.post("/flow_runs/count", {})).toMatchObject({ body: 1 });
  });

  test("leaves nothing of the first try behind where it is part of another change", async () => {
    await using api = await open();
    const id = await aDeployment(api, { version: "1" });
    const scope = openScope("");
    await api.ctx.db.writeSystem(async (system) => {
      const joined = joinedContext(api.ctx, system, []);
      const change = () =>
        updateDeployment(joined, scope, { id, changes: { version: "2", description: "new" } });
      const { db } = joined;
      let changed: Promise<unknown> | null = null;
      const write: typeof db.write = async (workspaceId, work) => {
        changed ??= change();
        await changed;
        return db.write(workspaceId, work);
      };
      const body = { idempotency_key: "once" };
      await createDeploymentRun({ ...joined, db: { ...db, write } }, scope, { id, body });
    });
    expect(await api.post("/flow_runs/filter", {})).toMatchObject({
      body: [{ deployment_id: id, deployment_version: "2" }],
    });
  });

  test("waits in no queue that is gone", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    const id = await aDeployment(api, { work_pool_name: "local" });
    const ctx = interrupted(api, () => api.delete("/work_pools/local"));
    const { json } = await createDeploymentRun(ctx, openScope(""), { id, body: {} });
    expect(JSON.parse(json)).toMatchObject({ deployment_id: id, work_queue_id: null });
  });

  test("is not made when it is deleted, also where several are asked for", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const ctx = interrupted(api, () => api.delete(`/deployments/${id}`));
    const bodies = [{}, {}];
    expect(await createDeploymentRuns(ctx, openScope(""), { id, bodies })).toMatchObject({
      results: [{ status: "FAILED" }, { status: "FAILED" }],
    });
    expect(await api.post("/flow_runs/count", {})).toMatchObject({ body: 0 });
  });

  test("is deleted with it, however the two are made to meet", async () => {
    await using api = await open();
    const flow = await api.post("/flows/", { name: "etl" });
    const { id: flow_id } = flow.body as { readonly id: string };
    for (let round = 0; round < 5; round += 1) {
      const deployment_id = await aDeployment(api, { name: `d${round}` });
      const path = `/deployments/${deployment_id}`;
      const run = { flow_id, deployment_id, state: { type: "SCHEDULED" } };
      await Promise.all([
        api.post(`${path}/create_flow_run`, {}),
        api.post("/flow_runs/", run),
        api.delete(path),
        api.post(`${path}/create_flow_run`, {}),
        api.post("/flow_runs/", run),
      ]);
    }
    expect(await api.post("/flow_runs/count", {})).toMatchObject({ body: 0 });
  });
});
