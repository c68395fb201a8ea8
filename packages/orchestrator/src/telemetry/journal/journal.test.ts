import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { plansOf } from "../../testing/plans.ts";
import { createTestFlowRun, proposeFlow } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { upsertEntries } from "./journal.store.ts";

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const WORKSPACE = openScope("test").workspaceId;
const VALUE = Buffer.from("made").toString("base64");

interface Report {
  readonly n: number;
  readonly runId: string;
  readonly claim?: { readonly flow_run_id: string; readonly claim_id: string };
  readonly value?: string;
  readonly fingerprint?: string;
}

const DAY = new Date().toISOString().slice(0, 10);
const finishedAt = (n: number): string => `${DAY}T00:00:0${n}.000000Z`;

/** As executors report the end of a task. */
const completed = ({ n, runId, claim, value = VALUE, fingerprint = "a" }: Report) => ({
  id: uuid(n),
  occurred: finishedAt(n),
  event: "orchestrator.task-run.Completed",
  resource: {
    "orchestrator.resource.id": `orchestrator.task-run.${uuid(100 + n)}`,
    "orchestrator.orchestration": "client",
  },
  related: [
    {
      "orchestrator.resource.id": `orchestrator.flow-run.${runId}`,
      "orchestrator.resource.role": "flow-run",
    },
  ],
  payload: {
    validated_state: { type: "COMPLETED", name: "Completed" },
    task_run: { task_key: `step-${n}`, dynamic_key: "0" },
  },
  journal: { key: `step-${n}/0`, fingerprint, value },
  ...(claim !== undefined && { claim }),
});

async function journalOf(api: TestApi, id: string): Promise<object[]> {
  const { status, body } = await api.get(`/flow_runs/${id}/journal`);
  expect(status).toBe(200);
  const lines = String(body).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as object);
}

async function claimRun(api: TestApi, id: string): Promise<string> {
  return (await proposeFlow(api, id, "PENDING")).state?.id ?? "";
}

describeEachApi("the journal of a run", (open) => {
  test("holds the result that the event of a completed task carries, and the event does not", async () => {
    await using api = await open();
    const runId = await createTestFlowRun(api);
    const events = [completed({ n: 1, runId }), completed({ n: 2, runId })];
    expect((await api.post("/events", events)).status).toBe(204);
    // The same message again changes nothing.
    expect((await api.post("/events", events)).status).toBe(204);
    expect(await journalOf(api, runId)).toEqual(
      [1, 2].map((n) => ({
        key: `step-${n}/0`,
        fingerprint: "a",
        task_run_id: uuid(100 + n),
        finished: finishedAt(n),
        value: VALUE,
      })),
    );
    const { body } = await api.post("/events/filter", { limit: 10 });
    const stored = (body as { readonly events: { readonly id: string }[] }).events;
    expect(stored.find(({ id }) => id === uuid(1))).toBeDefined();
    expect(JSON.stringify(stored)).not.toContain(VALUE);
  });

  test("keeps the last result of a call, and any number of calls", async () => {
    await using api = await open();
    const runId = await createTestFlowRun(api);
    const keys = Array.from({ length: 120 }, (_, i) => `step/${String(i).padStart(3, "0")}`);
    for (let i = 0; i < keys.length; i += 60) {
      const entries = keys
        .slice(i, i + 60)
        .map((key) => ({ key, fingerprint: null, value: VALUE }));
      const answer = await api.post(`/flow_runs/${runId}/journal`, { entries });
      expect(answer.status).toBe(204);
    }
    await api.post("/events", [
      completed({ n: 1, runId, fingerprint: "a" }),
      { ...completed({ n: 1, runId, fingerprint: "b", value: "Yg==" }), id: uuid(2) },
    ]);
    const entries = (await journalOf(api, runId)) as { readonly key: string }[];
    expect(entries.map(({ key }) => key)).toEqual(["step-1/0", ...keys]);
    expect(entries[0]).toMatchObject({ fingerprint: "b", value: "Yg==" });
  });

  test("refuses the reports of an executor whose claim has lapsed, all or none", async () => {
    await using api = await open();
    const runId = await createTestFlowRun(api, { state: { type: "SCHEDULED" } });
    const first = { flow_run_id: runId, claim_id: await claimRun(api, runId) };
    await proposeFlow(api, runId, "RUNNING");
    const report = (n: number, claim: typeof first) =>
      api.post("/events", [completed({ n: n + 1, runId }), completed({ n, runId, claim })]);
    expect((await report(1, first)).status).toBe(204);
    // Offered again, and then claimed by another executor.
    await api.post(`/flow_runs/${runId}/set_state`, { state: { type: "SCHEDULED" }, force: true });
    expect((await report(3, first)).status).toBe(409);
    const second = { flow_run_id: runId, claim_id: await claimRun(api, runId) };
    await proposeFlow(api, runId, "RUNNING");
    expect((await report(3, first)).status).toBe(409);
    const late = await api.post(`/flow_runs/${runId}/journal`, {
      claim: first,
      entries: [{ key: "late", fingerprint: null, value: VALUE }],
    });
    expect(late).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("lapsed") },
    });
    expect(await journalOf(api, runId)).toHaveLength(2);
    expect((await report(5, second)).status).toBe(204);
    expect(await journalOf(api, runId)).toHaveLength(4);
  });

  test("is written by way of its run alone, however many there are", async () => {
    await using api = await open();
    const runId = await createTestFlowRun(api);
    const entry = { flow_run_id: runId, key: "a/0", fingerprint: null, value: VALUE };
    const times = { created: finishedAt(1), finished: finishedAt(1) };
    const plans = await plansOf(api, ({ db }) =>
      db.write(WORKSPACE, async (tx) =>
        upsertEntries(tx, [{ ...entry, ...times, task_run_id: null }]),
      ),
    );
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain("flow_runs_by_id");
  });

  test("is that of an existing run, and goes with it", async () => {
    await using api = await open();
    const runId = await createTestFlowRun(api);
    await api.post("/events", [completed({ n: 1, runId }), completed({ n: 2, runId: uuid(9) })]);
    expect(await journalOf(api, runId)).toHaveLength(1);
    expect((await api.delete(`/flow_runs/${runId}`)).status).toBe(204);
    for (const id of [runId, uuid(9)])
      expect((await api.get(`/flow_runs/${id}/journal`)).status).toBe(404);
    const entries = [{ key: "k", fingerprint: null, value: VALUE }];
    expect((await api.post(`/flow_runs/${runId}/journal`, { entries })).status).toBe(404);
  });

  test("refuses a value of more than 64 KiB", async () => {
    await using api = await open();
    const runId = await createTestFlowRun(api);
    const value = Buffer.alloc(65_536).toString("base64");
    const send = (given: string) =>
      api.post("/events", [completed({ n: 1, runId, value: given })]).then(({ status }) => status);
    expect(await send(`${value}AAAA`)).toBe(422);
    expect(await send(value)).toBe(204);
  });

  test("answers with what the flow has returned, and says where that is not stored", async () => {
    await using api = await open();
    const runId = await createTestFlowRun(api);
    expect(await api.get(`/flow_runs/${runId}/result`)).toMatchObject({
      status: 404,
      body: { detail: `Flow run ${runId} has no stored result` },
    });
    const entries = [
      { key: "step/0", fingerprint: null, value: "c3RlcA==" },
      { key: "return", fingerprint: "a", value: VALUE },
    ];
    expect((await api.post(`/flow_runs/${runId}/journal`, { entries })).status).toBe(204);
    expect(await api.get(`/flow_runs/${runId}/result`)).toMatchObject({
      status: 200,
      body: { key: "return", fingerprint: "a", value: VALUE, task_run_id: null },
    });
    expect(await api.get(`/flow_runs/${uuid(9)}/result`)).toMatchObject({
      status: 404,
      body: { detail: `Flow run ${uuid(9)} not found` },
    });
  });
});
