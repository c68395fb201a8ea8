import { expect, test } from "vitest";
import { countQueries } from "../../testing/count-queries.ts";
import { describeEachApi, PLANTED_SECRET, type TestApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface Body {
  readonly id: string;
}

const reference = (block_document_id: unknown) => ({ $ref: { block_document_id } });

/** A template whose variable `account` has this default and is like this. */
const templateWith = (fallback: unknown, account: object = { type: "object" }) => ({
  job_configuration: { account: "{{ account }}", note: "{{ prefect.blocks.secret.key }}" },
  variables: {
    type: "object",
    properties: { account: { ...account, default: fallback }, cpu: { type: "integer" } },
    required: ["account"],
  },
});

async function made(api: TestApi, path: string, body: object): Promise<string> {
  const answer = await api.post(path, body);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as Body).id;
}

async function aDocument(api: TestApi): Promise<string> {
  const block_type_id = await made(api, "/block_types/", { name: "Account", slug: "account" });
  const fields = { properties: { user: {}, password: {} }, secret_fields: ["password"] };
  await api.post("/block_schemas/", { block_type_id, fields });
  const data = { user: "ada", password: PLANTED_SECRET };
  return made(api, "/block_documents/", { name: "main", block_type_id, data });
}

const aPool = (api: TestApi, base_job_template: object, name = "local") =>
  api.post("/work_pools/", { name, type: "process", base_job_template });

describeEachApi("a base job template that refers to a block", (open) => {
  test("is kept and shown as it was given", async () => {
    await using api = await open();
    const base_job_template = templateWith(reference(await aDocument(api)));
    expect(await aPool(api, base_job_template)).toMatchObject({
      status: 201,
      body: { base_job_template },
    });
    expect(await api.get("/work_pools/local")).toMatchObject({ body: { base_job_template } });
  });

  test("is refused when there is no such block", async () => {
    await using api = await open();
    await made(api, "/work_pools/", { name: "empty", type: "process" });
    for (const id of [UNKNOWN_ID, "no id", 7]) {
      const base_job_template = templateWith(reference(id));
      expect(await aPool(api, base_job_template)).toMatchObject({ status: 404 });
      expect(await api.patch("/work_pools/empty", { base_job_template })).toMatchObject({
        status: 404,
      });
    }
    // It names none.
    expect(await aPool(api, templateWith({ $ref: { other: "x" } }))).toMatchObject({ status: 201 });
  });

  test("is refused when the block's values do not fit, which tells no secret", async () => {
    await using api = await open();
    const block = reference(await aDocument(api));
    const strict = { type: "object", properties: { password: { type: "integer" } } };
    expect(await aPool(api, templateWith(block, strict))).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("variables.account.password") },
    });
  });

  test("gives its values where job variables are checked", async () => {
    await using api = await open();
    const document = await aDocument(api);
    const user = { type: "object", properties: { user: { type: "string" } } };
    expect(await aPool(api, templateWith(reference(document), user))).toMatchObject({
      status: 201,
    });
    const flow_id = await made(api, "/flows/", { name: "etl" });
    const deployment = { flow_id, work_pool_name: "local" };
    const of = (name: string, job_variables: object) =>
      api.post("/deployments/", { ...deployment, name, job_variables });
    expect(await of("unfit", { account: { user: 1 } })).toMatchObject({ status: 422 });
    const { status, body } = await of("fit", { cpu: 2 });
    expect(status).toBe(201);
    const { id } = body as Body;
    const run = `/deployments/${id}/create_flow_run`;
    expect(await api.post(run)).toMatchObject({ status: 201, body: { job_variables: {} } });

    await api.delete(`/block_documents/${document}`);
    expect(await api.post(run)).toMatchObject({ status: 404 });
    expect(await of("other", { cpu: 2 })).toMatchObject({ status: 404 });
    expect(await of("another", {})).toMatchObject({ status: 201 });
    expect(await api.patch(`/deployments/${id}`, { job_variables: { cpu: 3 } })).toMatchObject({
      status: 404,
    });
  });
});

describeEachApi("the blocks of deployments and runs", (open) => {
  test("are looked up together", async () => {
    await using api = await open();
    const document = await aDocument(api);
    const flow_id = await made(api, "/flows/", { name: "etl" });
    const queries = countQueries(api);
    const infrastructure = { flow_id, infrastructure_document_id: document };
    await made(api, "/deployments/", { ...infrastructure, name: "one" });
    const forOne = queries();
    const both = { ...infrastructure, storage_document_id: document };
    await made(api, "/deployments/", { ...both, name: "two" });
    expect(queries() - forOne).toBe(forOne);
  });

  test("must be there when they are named", async () => {
    await using api = await open();
    const document = await aDocument(api);
    const flow_id = await made(api, "/flows/", { name: "etl" });
    for (const field of ["infrastructure_document_id", "storage_document_id"]) {
      const deployment = { name: field, flow_id };
      expect(await api.post("/deployments/", { ...deployment, [field]: UNKNOWN_ID })).toMatchObject(
        { status: 404 },
      );
      const id = await made(api, "/deployments/", { ...deployment, [field]: document });
      const path = `/deployments/${id}`;
      expect(await api.patch(path, { [field]: UNKNOWN_ID })).toMatchObject({ status: 404 });
      expect(await api.get(path)).toMatchObject({ body: { [field]: document } });
    }
    const named = { infrastructure_document_id: UNKNOWN_ID };
    expect(await api.post("/flow_runs/", { flow_id, ...named })).toMatchObject({ status: 404 });
    const id = await made(api, "/deployments/", { name: "plain", flow_id });
    const path = `/deployments/${id}/create_flow_run`;
    expect(await api.post(path, named)).toMatchObject({ status: 404 });
    expect(await api.post(path, { infrastructure_document_id: document })).toMatchObject({
      status: 201,
      body: { infrastructure_document_id: document },
    });
  });

  test("may be named in parameters, pull steps and job variables without being there", async () => {
    await using api = await open();
    const flow_id = await made(api, "/flows/", { name: "etl" });
    const anywhere = reference(UNKNOWN_ID);
    const given = {
      parameters: { account: anywhere },
      pull_steps: [{ "steps.clone": { token: "{{ prefect.blocks.secret.key }}", by: anywhere } }],
      job_variables: { account: anywhere, key: "{{ prefect.blocks.secret.key }}" },
    };
    expect(await api.post("/deployments/", { name: "a", flow_id, ...given })).toMatchObject({
      status: 201,
      body: given,
    });
  });
});
