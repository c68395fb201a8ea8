import { expect, test } from "vitest";
import { createTestDeployment } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

type Body = Readonly<Record<string, unknown>>;

const EVENT = { type: "event", expect: ["orchestrator.flow-run.Failed"], posture: "Reactive" };
const create = (api: TestApi, given: Body) =>
  api.post("/automations/", { name: "watch", trigger: EVENT, ...given });

describeEachApi("an automation", (open) => {
  test("names deployments, pools and automations by their names, and has their ids", async () => {
    await using api = await open();
    const deployment_id = await createTestDeployment(api, {});
    const pool = (await api.post("/work_pools/", { name: "main", type: "process" })).body as Body;
    const other = (await create(api, { name: "other", actions: [{ type: "do-nothing" }] }))
      .body as Body;
    const { status, body } = await create(api, {
      trigger: {
        ...EVENT,
        match_related: {
          "prefect.resource.role": "deployment",
          "prefect.resource.id": ["@deployment:etl/nightly", "!@work_pool:main"],
        },
      },
      actions: [
        { type: "run-deployment", deployment: "etl/nightly" },
        { type: "pause-deployment", deployment: "nightly" },
        { type: "pause-work-pool", work_pool: "main" },
        { type: "resume-automation", automation: "other" },
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      trigger: {
        match_related: {
          "prefect.resource.id": [
            `prefect.deployment.${deployment_id}`,
            `!prefect.work-pool.${String(pool["id"])}`,
          ],
        },
      },
      actions: [
        { deployment_id },
        { deployment_id },
        { work_pool_id: pool["id"] },
        { automation_id: other["id"] },
      ],
    });
  });

  test("is refused where a name is unknown, ambiguous, or stands beside an id", async () => {
    await using api = await open();
    const deployment_id = await createTestDeployment(api, {});
    const flow = (await api.post("/flows/", { name: "report" })).body as Body;
    await api.post("/deployments/", { name: "nightly", flow_id: flow["id"] });
    for (const [action, problem] of [
      [
        { type: "run-deployment", deployment: "etl/daily" },
        "there is no deployment named etl/daily",
      ],
      [{ type: "run-deployment", deployment: "nightly" }, "give <flow>/<name>"],
      [
        { type: "run-deployment", deployment: "etl/nightly", deployment_id },
        "cannot both be given",
      ],
      [{ type: "run-check", monitor: "shop" }, "there is no monitor named shop"],
      [{ type: "call-webhook", block: "webhook/x" }, "there is no block named webhook/x"],
    ] as const) {
      const answer = await create(api, { actions: [action] });
      expect([action, answer.status]).toEqual([action, 422]);
      expect(JSON.stringify(answer.body)).toContain(problem);
    }
    expect((await api.post("/automations/count", {})).body).toBe(0);
  });
});
