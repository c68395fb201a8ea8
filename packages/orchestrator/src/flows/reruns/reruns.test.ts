import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { createTaskRunRecorder } from "../../runs/task-run-recorder/task-run-recorder.loop.ts";
import { upsertEntries } from "../../telemetry/journal/journal.store.ts";
import {
  createRunsOf,
  createTestDeployment,
  createTestFlowRun,
  proposeFlow,
  readRecord,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

type Body = Readonly<Record<string, unknown>>;
const VALUE = Buffer.from("made").toString("base64");
const DAY = new Date().toISOString().slice(0, 10);
const at = (second: number): string => `${DAY}T00:00:0${second}.000000Z`;

interface ReportedTask {
  readonly id: string;
  readonly runId: string;
  readonly key: string;
  readonly from: number;
  /** Null while it is under way. */
  readonly to: number | null;
}

let reports = 0;
const nextId = (): string => {
  reports += 1;
  return `00000000-0000-4000-8000-${String(reports).padStart(12, "0")}`;
};

/** As executors report a task: when it began, and its result when it ended. */
function reportsOf({ id, runId, key, from, to }: ReportedTask): Body[] {
  const [task_key = "", dynamic_key = ""] = key.split("/");
  const report = (type: string, name: string, second: number) => ({
    id: nextId(),
    occurred: at(second),
    event: `orchestrator.task-run.${name}`,
    resource: {
      "orchestrator.resource.id": `orchestrator.task-run.${id}`,
      "orchestrator.resource.name": key,
      "orchestrator.orchestration": "client",
    },
    related: [
      {
        "orchestrator.resource.id": `orchestrator.flow-run.${runId}`,
        "orchestrator.resource.role": "flow-run",
      },
    ],
    payload: {
      validated_state: { type, name },
      task_run: { name: key, task_key, dynamic_key, start_time: at(from) },
    },
  });
  if (to === null) return [report("RUNNING", "Running", from)];
  const journal = { key, fingerprint: "a", value: VALUE };
  return [report("RUNNING", "Running", from), { ...report("COMPLETED", "Completed", to), journal }];
}

async function reportTasks(api: TestApi, tasks: readonly ReportedTask[]): Promise<void> {
  const answer = await api.post("/events", tasks.flatMap(reportsOf));
  expect(answer.status).toBe(204);
  await createTaskRunRecorder(api.ctx)(new AbortController().signal);
}

async function keysOf(api: TestApi, id: string): Promise<string[]> {
  const { text } = await api.get(`/flow_runs/${id}/journal`);
  const lines = text.split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { readonly key: string }).key);
}

async function rerun(api: TestApi, id: string, body: Body = {}): Promise<string> {
  const answer = await api.post(`/flow_runs/${id}/rerun`, body);
  expect(answer).toMatchObject({ status: 201, body: { id: expect.any(String) } });
  return (answer.body as { id: string }).id;
}

async function aRun(api: TestApi, given: Body = {}): Promise<string> {
  const deployment = await createTestDeployment(api, {});
  const [id = ""] = await createRunsOf(api, deployment, given);
  return id;
}

describeEachApi("a rerun", (open) => {
  test("is a run of the same deployment with the parameters of the original, which stays as it is", async () => {
    await using api = await open();
    const id = await aRun(api, {
      parameters: { day: "monday", rows: 3 },
      tags: ["eu"],
      labels: { team: "data" },
      priority: 4,
      name: "brave-otter",
    });
    await proposeFlow(api, id, "PENDING");
    await proposeFlow(api, id, "RUNNING");
    await proposeFlow(api, id, "FAILED", { force: true });
    const before = await readRecord(api, `/flow_runs/${id}`);
    const copy = await rerun(api, id, { parameters: { rows: 4 }, name: "again" });
    expect(await readRecord(api, `/flow_runs/${id}`)).toEqual(before);
    expect(await readRecord(api, `/flow_runs/${copy}`)).toMatchObject({
      name: "again",
      deployment_id: before["deployment_id"],
      parameters: { day: "monday", rows: 4 },
      tags: ["eu"],
      labels: { team: "data" },
      priority: 4,
      run_count: 0,
      state_name: "Scheduled",
      state: { message: "Rerun of brave-otter from its last result: 0 results are reused" },
    });
  });

  test("names the original, and is found by it", async () => {
    await using api = await open();
    const id = await aRun(api, { name: "brave-otter" });
    const copies = [await rerun(api, id), await rerun(api, id)];
    await rerun(api, copies[0] ?? "");
    expect(await readRecord(api, `/flow_runs/${copies[0]}`)).toMatchObject({
      created_by: { id, type: "RERUN", display_value: "brave-otter" },
    });
    const filter = { flow_runs: { created_by: { id_: [id] } }, sort: "CREATED_DESC" };
    const { body } = await api.post("/flow_runs/filter", filter);
    expect((body as { id: string }[]).map((run) => run.id)).toEqual(copies.toReversed());
  });

  test("reuses all results, those from before a task run began, or none", async () => {
    await using api = await open();
    const runId = await aRun(api);
    const [first, second, third] = [nextId(), nextId(), nextId()];
    await reportTasks(api, [
      { id: first, runId, key: "fetch/0", from: 1, to: 2 },
      // Under way while the second task ran.
      { id: nextId(), runId, key: "watch/0", from: 1, to: 5 },
      { id: second, runId, key: "fetch/1", from: 3, to: 4 },
      { id: third, runId, key: "load/0", from: 6, to: null },
    ]);
    const all = ["fetch/0", "fetch/1", "watch/0"];
    expect(await keysOf(api, await rerun(api, runId))).toEqual(all);
    expect(await keysOf(api, await rerun(api, runId, { from: "failed" }))).toEqual(all);
    expect(await keysOf(api, await rerun(api, runId, { from: third }))).toEqual(all);
    expect(await keysOf(api, await rerun(api, runId, { from: second }))).toEqual(["fetch/0"]);
    expect(await keysOf(api, await rerun(api, runId, { from: first }))).toEqual([]);
    expect(await keysOf(api, await rerun(api, runId, { from: "start" }))).toEqual([]);
    expect(await keysOf(api, runId)).toEqual(all);
    const entries = [{ key: "return", fingerprint: "a", value: VALUE }];
    await api.post(`/flow_runs/${runId}/journal`, { entries });
    const copy = await rerun(api, runId);
    expect(await keysOf(api, await rerun(api, copy))).toEqual(all);
    await api.delete(`/flow_runs/${runId}`);
    expect(await keysOf(api, copy)).toEqual(all);
  });

  test("reuses the results of subflows under their calls", async () => {
    await using api = await open();
    const runId = await aRun(api);
    await reportTasks(api, [{ id: nextId(), runId, key: "fetch/0", from: 1, to: 2 }]);
    const within = async (parent: string, key: string): Promise<string> => {
      const answer = await api.post("/task_runs/", {
        flow_run_id: parent,
        task_key: key,
        dynamic_key: "0",
      });
      const { id: parent_task_run_id } = answer.body as { id: string };
      return createTestFlowRun(api, { parent_task_run_id });
    };
    const child = await within(runId, "load");
    const grandchild = await within(child, "check");
    await reportTasks(api, [
      { id: nextId(), runId: child, key: "write/0", from: 3, to: 4 },
      { id: nextId(), runId: grandchild, key: "count/0", from: 5, to: 6 },
    ]);
    const keys = ["fetch/0", "flow load/0>flow check/0>count/0", "flow load/0>write/0"];
    const copy = await rerun(api, runId);
    expect(await keysOf(api, copy)).toEqual(keys);
    expect(await keysOf(api, await rerun(api, copy))).toEqual(keys);
  });

  test("is made once for each idempotency key", async () => {
    await using api = await open();
    const id = await aRun(api);
    await reportTasks(api, [{ id: nextId(), runId: id, key: "fetch/0", from: 1, to: 2 }]);
    const copy = await rerun(api, id, { idempotency_key: "once" });
    const again = await api.post(`/flow_runs/${id}/rerun`, { idempotency_key: "once" });
    expect(again).toMatchObject({ status: 200, body: { id: copy } });
    expect(await keysOf(api, copy)).toEqual(["fetch/0"]);
  });

  test("is refused where no worker would execute it, and where it is unclear from which task run", async () => {
    await using api = await open();
    const alone = await createTestFlowRun(api, { name: "calm-fox" });
    expect(await api.post(`/flow_runs/${alone}/rerun`, {})).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("calm-fox belongs to no deployment") },
    });
    const id = await aRun(api);
    const other = nextId();
    await reportTasks(api, [{ id: other, runId: alone, key: "fetch/0", from: 1, to: 2 }]);
    for (const from of ["end", nextId(), other])
      expect((await api.post(`/flow_runs/${id}/rerun`, { from })).status).toBe(422);
    expect((await api.post(`/flow_runs/${nextId()}/rerun`, {})).status).toBe(404);
    expect((await api.post("/flow_runs/count", {})).body).toBe(2);
  });

  test("is refused where too many results would be copied", async () => {
    await using api = await open();
    const id = await aRun(api);
    const row = { flow_run_id: id, fingerprint: null, task_run_id: null, value: VALUE };
    const rows = Array.from({ length: 20_001 }, (_, i) => ({
      ...row,
      key: `step/${i}`,
      created: at(1),
      finished: at(1),
    }));
    await api.ctx.db.write(openScope("test").workspaceId, async (tx) => upsertEntries(tx, rows));
    expect(await api.post(`/flow_runs/${id}/rerun`, {})).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("rerun it from its start") },
    });
    expect((await api.post(`/flow_runs/${id}/rerun`, { from: "start" })).status).toBe(201);
    expect((await api.post("/flow_runs/count", {})).body).toBe(2);
  });
});
