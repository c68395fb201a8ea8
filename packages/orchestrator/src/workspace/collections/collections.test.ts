import type { JsonObject } from "@orchestrator/contract";
import { describe, expect, test } from "vitest";
import { addFlow } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { WORKER_METADATA } from "./worker-metadata.ts";

const VIEW = "/collections/views/aggregate-worker-metadata";
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface Template {
  readonly job_configuration: JsonObject;
  readonly variables: { readonly properties: Readonly<Record<string, JsonObject>> };
}

interface Kind {
  readonly type: string;
  readonly default_base_job_configuration: Template;
}

const kindsOf = (view: object): readonly Kind[] =>
  Object.values(view as Record<string, Record<string, Kind>>).flatMap((ofPackage) =>
    Object.values(ofPackage),
  );
const KINDS = kindsOf(WORKER_METADATA).map(
  ({ type, default_base_job_configuration: template }) => [type, template] as const,
);
const IN_CONTAINERS = KINDS.filter(([type]) => type !== "process");

/** What workers of a kind cannot do without. */
const NEEDED: Readonly<Record<string, JsonObject>> = {
  "azure-container-instance": { resource_group_name: "flows", subscription_id: "s-1" },
  "vertex-ai": { region: "europe-west4" },
};

describe("the template of a kind of worker", () => {
  test.each(KINDS)(
    "%s has a variable for every place, and a place for every variable",
    (_, template) => {
      const written = JSON.stringify(template.job_configuration);
      const placed = [...written.matchAll(/\{\{ (\w+) \}\}/g)].map(([, name]) => name);
      expect(new Set(placed)).toEqual(new Set(Object.keys(template.variables.properties)));
    },
  );

  test.each(KINDS)("%s calls every variable something that can be read", (_, template) => {
    for (const { title } of Object.values(template.variables.properties))
      expect(title).toMatch(/^[A-Z][A-Za-z ]+$/);
  });

  test.each(KINDS)("%s defines what it refers to, and nothing else", (_, { variables }) => {
    const written = JSON.stringify(variables);
    const meant = [...written.matchAll(/"#\/definitions\/(\w+)"/g)].map(([, name]) => name);
    const { definitions = {} } = variables as { readonly definitions?: object };
    expect(new Set(Object.keys(definitions))).toEqual(new Set(meant));
  });

  test.each(IN_CONTAINERS)("%s leaves the image to deployments", (_, template) => {
    expect(template.variables.properties).toHaveProperty("image");
    expect(JSON.stringify(template.job_configuration)).toContain('"{{ image }}"');
  });
});

/** Makes a pool as clients do, with the template that the view has for its type. */
async function aPool(api: TestApi, type: string): Promise<string> {
  const { body } = await api.get(VIEW);
  const kind = kindsOf(body as object).find((candidate) => candidate.type === type);
  const base_job_template = kind?.default_base_job_configuration;
  expect(await api.post("/work_pools/", { name: type, type, base_job_template })).toMatchObject({
    status: 201,
    body: { base_job_template },
  });
  return type;
}

async function deploy(api: TestApi, work_pool_name: string, job_variables: JsonObject) {
  const { id: flow_id } = await addFlow(api, { name: api.ctx.ids.uuid7() });
  return api.post("/deployments/", { name: "d", flow_id, work_pool_name, job_variables });
}

const startRun = (api: TestApi, { id }: { readonly id: string }, job_variables: JsonObject = {}) =>
  api.post(`/deployments/${id}/create_flow_run`, { job_variables });

describeEachApi("pools of a kind that the server knows", (open) => {
  test("are made with its template, and take deployments with an image of their own and runs of those", async () => {
    await using api = await open();
    for (const [type] of IN_CONTAINERS) {
      await aPool(api, type);
      const variables = {
        ...NEEDED[type],
        image: "shop/flows:2",
        env: { REGION: "eu", OLD: null },
      };
      const deployment = await deploy(api, type, variables);
      expect(deployment).toMatchObject({ status: 201, body: { job_variables: variables } });
      const run = await startRun(api, deployment.body as { id: string }, { labels: { team: "a" } });
      expect(run).toMatchObject({ status: 201 });
    }
  });

  test("refuse values that their workers could not use", async () => {
    await using api = await open();
    const wrong: readonly (readonly [type: string, variables: JsonObject])[] = [
      ["process", { stream_output: "often" }],
      ["docker", { image: 7 }],
      ["docker", { networks: "bridge" }],
      ["docker", { image_pull_policy: "Sometimes" }],
      ["docker", { registry_credentials: { username: 7 } }],
      ["kubernetes", { backoff_limit: -1 }],
      ["kubernetes", { env: { A: { B: "C" } } }],
      ["ecs", { launch_type: "LAMBDA" }],
      ["ecs", { capacity_provider_strategy: [{ weight: "all" }] }],
      ["azure-container-instance", { cpu: "two" }],
      ["cloud-run", { memory: "much" }],
      ["cloud-run-v2", { timeout: 604_801 }],
      ["cloud-run-v2", { env_from_secrets: { TOKEN: "shop-token" } }],
      ["vertex-ai", { accelerator_count: "all" }],
    ];
    for (const [type, variables] of wrong) {
      await api.delete(`/work_pools/${type}`);
      const answer = await deploy(api, await aPool(api, type), variables);
      const [name] = Object.keys(variables);
      expect([type, variables, answer]).toMatchObject([type, variables, { status: 422 }]);
      expect(JSON.stringify(answer.body)).toContain(`job_variables.${name}`);
    }
  });

  test("start no run while something that their workers need is missing", async () => {
    await using api = await open();
    await aPool(api, "vertex-ai");
    const { body } = await deploy(api, "vertex-ai", { image: "shop/flows:2" });
    const deployment = body as { id: string };
    expect(await startRun(api, deployment)).toMatchObject({ status: 422 });
    expect(await startRun(api, deployment, { region: "europe-west4" })).toMatchObject({
      status: 201,
    });
  });

  test("take a block in the place of credentials, also of a type that nobody has registered yet", async () => {
    await using api = await open();
    await aPool(api, "docker");
    const block = { $ref: { block_document_id: UNKNOWN_ID } };
    const values = { username: "ada", password: "x", registry_url: "registry.example.com" };
    for (const registry_credentials of [block, values, null])
      expect(await deploy(api, "docker", { registry_credentials })).toMatchObject({ status: 201 });
  });
});

describeEachApi("collection views", (open) => {
  test("that are known and empty are empty, and others are not found", async () => {
    await using api = await open();
    expect(await api.get("/collections/views/demo-flows")).toMatchObject({ status: 200, body: {} });
    expect((await api.get("/collections/views/none")).status).toBe(404);
  });

  test("tell of workers how to get them", async () => {
    await using api = await open();
    expect(await api.get(VIEW)).toMatchObject({
      status: 200,
      body: {
        prefect: { process: { type: "process", is_beta: false } },
        "prefect-docker": { docker: { install_command: "pip install prefect-docker" } },
      },
    });
  });
});
