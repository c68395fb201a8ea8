import { SlaFilter } from "@orchestrator/contract";
import {
  describeFilterSchema,
  describeListFilter,
  manualClock,
} from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { createTestDeployment, readRecord } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { SLA_LIST } from "./slas.filter.ts";

type Body = Readonly<Record<string, unknown>>;
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const QUICK = { name: "quick", kind: "duration", seconds: 60 };

async function create(api: TestApi, deployment: string, given: Body = {}): Promise<string> {
  const answer = await api.post(`/deployments/${deployment}/slas`, { ...QUICK, ...given });
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

const slaEvents = async (api: TestApi) =>
  (await api.events()).filter(({ event }) => event.includes(".sla."));

describeEachApi("the SLAs of a deployment", (open) => {
  test("are created, read, and listed with how they stand", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const answer = await api.post(`/deployments/${deployment}/slas`, {
      ...QUICK,
      severity: "high",
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        deployment_id: deployment,
        name: "quick",
        kind: "duration",
        seconds: 60,
        severity: "high",
        enabled: true,
        status: "OK",
        open_violations: 0,
        violations: 0,
        last_violated: null,
      },
    });
    const { id } = answer.body as { id: string };
    expect(await readRecord(api, `/slas/${id}`)).toEqual(answer.body);
    expect(await readRecord(api, `/deployments/${deployment}/slas`)).toEqual([answer.body]);
  });

  test.each([
    [
      { name: "a", duration: 5 },
      { kind: "duration", seconds: 5, severity: "moderate" },
    ],
    [
      { name: "a", within: "PT10M" },
      { kind: "lateness", seconds: 600 },
    ],
    [
      { name: "a", stale_after: 3600.5 },
      { kind: "freshness", seconds: 3600.5 },
    ],
    [
      { name: "a", kind: "freshness", seconds: 1 },
      { kind: "freshness", seconds: 1 },
    ],
  ])("take the bound as %j", async (body, expected) => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const answer = await api.post(`/deployments/${deployment}/slas`, body);
    expect(answer).toMatchObject({ status: 201, body: expected });
  });

  test.each([
    [{ name: "a" }, ["body"]],
    [{ name: "a", kind: "duration" }, ["body"]],
    [{ name: "a", duration: 5, within: 5 }, ["body"]],
    [{ name: "a", kind: "duration", seconds: 5, duration: 5 }, ["body"]],
    [{ name: "a", duration: 0 }, ["body", "duration"]],
    [{ name: "a", duration: 1e12 }, ["body", "duration"]],
    [{ name: "a", kind: "speed", seconds: 5 }, ["body", "kind"]],
    [{ name: "a", duration: 5, severity: "dire" }, ["body", "severity"]],
    [{ duration: 5 }, ["body", "name"]],
    [{ name: "a", duration: 5, colour: "red" }, ["body", "colour"]],
  ])("are not created from %j", async (body, loc) => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    expect(await api.post(`/deployments/${deployment}/slas`, body)).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc }] },
    });
    expect(await api.post("/slas/count")).toMatchObject({ body: 0 });
  });

  test("have names of their own, and are twenty at most", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const other = await create(api, deployment, { name: "other" });
    await create(api, deployment);
    expect(await api.post(`/deployments/${deployment}/slas`, QUICK)).toMatchObject({ status: 409 });
    expect(await api.patch(`/slas/${other}`, { name: "quick" })).toMatchObject({ status: 409 });
    for (let n = 2; n < 20; n += 1) await create(api, deployment, { name: `n${n}` });
    const answer = await api.post(`/deployments/${deployment}/slas`, { ...QUICK, name: "more" });
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: "A deployment has at most 20 SLAs" },
    });
  });

  test("are made those of a list by the established clients", async () => {
    await using api = await open({ dialect: "prefect" });
    const deployment = await createTestDeployment(api, {});
    const resource = `prefect.deployment.${deployment}`;
    const apply = (slas: readonly Body[]) =>
      api.post(`/slas/apply-resource-slas/${resource}`, slas);
    const names = (slas: readonly string[]) =>
      slas.map((name) => expect.objectContaining({ name }));
    const owner = { owner_resource: resource };
    const first = [
      { name: "late", severity: "high", within: "PT10M", ...owner },
      { name: "slow", duration: 60, enabled: true, ...owner },
    ];
    expect(await apply(first)).toMatchObject({
      status: 200,
      body: { created: names(["late", "slow"]), updated: [], deleted: [] },
    });
    const again = await apply([
      { name: "late", severity: "low", within: "PT10M", ...owner },
      { name: "stale", stale_after: "PT1H", ...owner },
    ]);
    expect(again).toMatchObject({
      body: { created: names(["stale"]), updated: names(["late"]), deleted: names(["slow"]) },
    });
    const slas = (await api.get(`/deployments/${deployment}/slas`)).body as Body[];
    expect(slas).toMatchObject([
      { name: "late", kind: "lateness", seconds: 600, severity: "low" },
      { name: "stale", kind: "freshness", seconds: 3600 },
    ]);
    expect(await apply([])).toMatchObject({ body: { deleted: names(["late", "stale"]) } });
    expect(await apply([QUICK, QUICK])).toMatchObject({ status: 422 });
    expect((await slaEvents(api)).map(({ event }) => event)).toEqual([
      "prefect.sla.created",
      "prefect.sla.created",
      "prefect.sla.updated",
      "prefect.sla.created",
      "prefect.sla.deleted",
      "prefect.sla.deleted",
      "prefect.sla.deleted",
    ]);
  });

  test("applied again as they are change nothing", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createTestDeployment(api, {});
    const slas = JSON.stringify([{ name: "stale", stale_after: 60 }]);
    const path = `/slas/apply-resource-slas/orchestrator.deployment.${deployment}`;
    await api.post(path, slas);
    const before = await readRecord(api, `/deployments/${deployment}/slas`);
    clock.advanceMs(30_000);
    expect(await api.post(path, slas)).toMatchObject({ body: { updated: [{ name: "stale" }] } });
    expect(await readRecord(api, `/deployments/${deployment}/slas`)).toEqual(before);
    expect(await slaEvents(api)).toHaveLength(1);
  });

  test("are found by deployment, kind, severity and status", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    await create(api, deployment);
    await create(api, deployment, {
      name: "off",
      kind: "lateness",
      severity: "low",
      enabled: false,
    });
    const names = async (slas: Body) =>
      ((await api.post("/slas/filter", { slas })).body as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names({ deployment_id: { any_: [deployment] } })).toEqual(["off", "quick"]);
    expect(await names({ deployment_id: { any_: [UNKNOWN_ID] } })).toEqual([]);
    expect(await names({ kind: { any_: ["lateness"] } })).toEqual(["off"]);
    expect(await names({ severity: { any_: ["moderate"] } })).toEqual(["quick"]);
    expect(await names({ status: { any_: ["DISABLED"] } })).toEqual(["off"]);
    expect(await names({ enabled: { eq_: true } })).toEqual(["quick"]);
    expect(
      await api.post("/slas/count", { slas: { status: { any_: ["OK", "VIOLATED"] } } }),
    ).toMatchObject({ body: 1 });
  });

  test("tell of their changes and go with their deployment", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const id = await create(api, deployment);
    await create(api, deployment, { name: "other" });
    expect(await api.patch(`/slas/${id}`, { severity: "low" })).toMatchObject({ status: 204 });
    await api.patch(`/slas/${id}`, { severity: "low" });
    expect(await api.delete(`/slas/${id}`)).toMatchObject({ status: 204 });
    expect(await slaEvents(api)).toMatchObject([
      {
        event: "orchestrator.sla.created",
        resource: {
          "orchestrator.resource.id": `orchestrator.sla.${id}`,
          "orchestrator.resource.name": "quick",
          "orchestrator.sla.kind": "duration",
        },
        related: [
          {
            "orchestrator.resource.id": `orchestrator.deployment.${deployment}`,
            "orchestrator.resource.role": "deployment",
          },
          { "orchestrator.resource.role": "flow" },
        ],
        payload: {
          name: "quick",
          kind: "duration",
          seconds: 60,
          severity: "moderate",
          enabled: true,
        },
      },
      { event: "orchestrator.sla.created" },
      { event: "orchestrator.sla.updated", payload: { severity: "low" } },
      { event: "orchestrator.sla.deleted" },
    ]);
    await api.delete(`/deployments/${deployment}`);
    expect(await api.post("/slas/count")).toMatchObject({ body: 0 });
  });

  test("answer 404 where there is no SLA or no deployment", async () => {
    await using api = await open();
    const answers = [
      await api.get(`/slas/${UNKNOWN_ID}`),
      await api.patch(`/slas/${UNKNOWN_ID}`, { enabled: true }),
      await api.delete(`/slas/${UNKNOWN_ID}`),
      await api.get(`/deployments/${UNKNOWN_ID}/slas`),
      await api.post(`/deployments/${UNKNOWN_ID}/slas`, QUICK),
      await api.post(`/slas/apply-resource-slas/prefect.deployment.${UNKNOWN_ID}`, [QUICK]),
      await api.post(`/slas/apply-resource-slas/prefect.flow.${UNKNOWN_ID}`, []),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });
});

test("the contract and the list know the same attributes and operators", () => {
  expect(describeListFilter(SLA_LIST)).toEqual(describeFilterSchema(SlaFilter));
});
