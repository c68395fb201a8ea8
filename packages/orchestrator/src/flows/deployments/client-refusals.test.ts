import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

const schema = {
  type: "object",
  properties: { x: { type: "integer" }, where: { enum: ["eu", "us"] } },
  required: ["x"],
};

const template = {
  job_configuration: { cpu: "{{ cpu }}" },
  variables: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] },
};

async function create(api: TestApi, path: string, body: object): Promise<string> {
  const answer = await api.post(path, body);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

async function deploy(api: TestApi, given: object): Promise<string> {
  const flow_id = await create(api, "/flows/", { name: "etl" });
  return create(api, "/deployments/", { name: "nightly", flow_id, ...given });
}

const refused = (status: number, detail: string) => ({ status, body: { detail } });

describeEachApi("to the established clients", (open) => {
  test("parameters that do not fit are refused by field and reason", async () => {
    await using api = await open({ dialect: "prefect" });
    const id = await deploy(api, { parameter_openapi_schema: schema });
    const run = (parameters: object) =>
      api.post(`/deployments/${id}/create_flow_run`, { parameters });
    const field = "Validation failed for field";
    expect(await run({ x: "one" })).toMatchObject(
      refused(
        409,
        `Error creating flow run: ${field} 'x'. Failure reason: 'one' is not of type 'integer'`,
      ),
    );
    expect(await run({})).toMatchObject(
      refused(
        409,
        "Error creating flow run: Validation failed. Failure reason: 'x' is a required property",
      ),
    );
    expect(await api.patch(`/deployments/${id}`, { parameters: { where: "moon" } })).toMatchObject(
      refused(
        409,
        `Error updating deployment: ${field} 'where'. Failure reason: 'moon' is not one of ['eu', 'us']`,
      ),
    );
    expect(
      await api.post(`/deployments/${id}/create_flow_run/bulk`, [{ parameters: { x: 1.5 } }]),
    ).toMatchObject({
      body: {
        results: [{ error: expect.stringContaining(`${field} 'x'. Failure reason: 1.5 is`) }],
      },
    });
  });

  test("a new deployment with parameters that do not fit is refused by field and reason", async () => {
    await using api = await open({ dialect: "prefect" });
    const flow_id = await create(api, "/flows/", { name: "etl" });
    const answer = await api.post("/deployments/", {
      name: "nightly",
      flow_id,
      enforce_parameter_schema: true,
      parameter_openapi_schema: schema,
      parameters: { x: "one" },
    });
    const msg =
      "Value error, Validation failed for field 'x'. Failure reason: 'one' is not of type 'integer'";
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(JSON.stringify(msg));
  });

  test("job variables that do not fit the pool are refused by field and reason", async () => {
    await using api = await open({ dialect: "prefect" });
    const pool = { name: "local", type: "process", base_job_template: template };
    await create(api, "/work_pools/", pool);
    const id = await deploy(api, { work_pool_name: "local" });
    const run = (job_variables: object) =>
      api.post(`/deployments/${id}/create_flow_run`, { job_variables });
    expect(await run({ cpu: "two" })).toMatchObject(
      refused(
        422,
        "Error creating flow run: Validation failed for field 'cpu'. Failure reason: 'two' is not of type 'integer'",
      ),
    );
    expect(await run({})).toMatchObject(
      refused(
        422,
        "Error creating flow run: Validation failed. Failure reason: 'cpu' is a required property",
      ),
    );
    const unfit = { properties: { cpu: { type: "integer", default: "two" } } };
    const other = { ...pool, name: "other", base_job_template: { ...template, variables: unfit } };
    expect(JSON.stringify(await api.post("/work_pools/", other))).toContain(
      "Validation failed for work pool's job variable defaults: Validation failed for field 'cpu'.",
    );
  });

  test("the answer to a paused run that does not fit is refused by field and reason", async () => {
    await using api = await open({ dialect: "prefect" });
    const flow_id = await create(api, "/flows/", { name: "etl" });
    const id = await create(api, "/flow_runs/", { flow_id, state: { type: "RUNNING" } });
    await api.post(`/flow_runs/${id}/input`, { key: "s", value: JSON.stringify(schema) });
    const run_input_keyset = { schema: "s", response: "r", description: "d" };
    const state_details = { run_input_keyset, pause_timeout: "2099-01-01T00:00:00Z" };
    await api.post(`/flow_runs/${id}/set_state`, { state: { type: "PAUSED", state_details } });
    const resumed = await api.post(`/flow_runs/${id}/resume`, { run_input: { x: "one" } });
    expect(resumed).toMatchObject({
      body: {
        status: "REJECT",
        details: {
          reason:
            "Reason: Validation failed for field 'x'. Failure reason: 'one' is not of type 'integer'",
        },
      },
    });
  });

  test("a form is checked in the words of their documentation", async () => {
    await using api = await open({ dialect: "prefect" });
    expect(await api.post("/ui/schemas/validate", { schema, values: { x: "one" } })).toMatchObject({
      body: {
        valid: false,
        errors: [{ property: "x", errors: ["'one' is not of type 'integer'"] }],
      },
    });
  });
});
