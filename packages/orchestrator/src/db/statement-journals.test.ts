import { expect, test } from "vitest";
import { describeEachApi } from "../testing.ts";

interface Instruction {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
}

const ABORT = 2;
const FOREIGN_KEY = 787;

/**
 * Whether it can end a statement half done: by a function, a constraint that aborts it, or a
 * reference. SQLite copies what such a statement changes. Only a statement of a single row, which
 * cannot, is ended by a reference at once.
 */
const canEndHalfDone = ({ opcode, p1, p2 }: Instruction): boolean =>
  ["Function", "PureFunc"].includes(opcode) ||
  (["Halt", "HaltIfNull"].includes(opcode) && p1 !== 0 && p1 !== FOREIGN_KEY && p2 === ABORT) ||
  (opcode === "FkCounter" && p1 === 0 && p2 > 0);

/** What is written all the time, beside what loops keep for themselves. */
const WRITTEN_OFTEN = [
  "events",
  "flow_run_states",
  "flow_runs",
  "logs",
  "task_run_states",
  "task_runs",
];

/** The table that a statement writes to. */
const tableOf = (sql: string): string =>
  /^\s*(?:insert|update)[^"]*"(?<table>\w+)"/.exec(sql)?.groups?.["table"] ?? "";

describeEachApi("what is written often", (open) => {
  test("is written by SQLite without copying what it changes", async () => {
    const prepared = new Set<string>();
    await using api = await open({ onPrepare: (sql) => prepared.add(sql) });
    if (api.ctx.db.dialect.isRemote) return;
    const post = async <R>(path: string, body: object): Promise<R> => {
      const answer = await api.post(path, body);
      expect(answer.status).toBeLessThan(300);
      return answer.body as R;
    };
    const flow = await post<{ id: string }>("/flows/", { name: "etl" });
    const deployment = await post<{ id: string }>("/deployments/", { name: "d", flow_id: flow.id });
    await post(`/deployments/${deployment.id}/create_flow_run`, { tags: ["a"] });
    await post(`/deployments/${deployment.id}/create_flow_run`, { idempotency_key: "once" });
    const run = await post<{ id: string }>("/flow_runs/", { flow_id: flow.id, tags: ["a"] });
    const task = await post<{ id: string }>("/task_runs/", {
      flow_run_id: run.id,
      task_key: "t",
      dynamic_key: "0",
    });
    for (const type of ["RUNNING", "COMPLETED"]) {
      await post(`/flow_runs/${run.id}/set_state`, { state: { type } });
      await post(`/task_runs/${task.id}/set_state`, { state: { type } });
    }
    const line = { name: "log", level: 20, message: "m", timestamp: "2026-01-01T00:00:00Z" };
    await post("/logs/", [line, { ...line, flow_run_id: run.id }]);
    const writes = [...prepared].filter((sql) => WRITTEN_OFTEN.includes(tableOf(sql)));
    expect([...new Set(writes.map(tableOf))].sort()).toEqual(WRITTEN_OFTEN);
    const isRisky = (sql: string) =>
      api.ctx.db.exclusively(async (session) =>
        (await session.rows<Instruction>(`explain ${sql}`)).some(canEndHalfDone),
      );
    for (const sql of writes)
      expect({ sql, isRisky: await isRisky(sql) }).toMatchObject({ isRisky: false });
    expect(await isRisky("insert into flow_runs default values")).toBe(true);
    expect(await isRisky("insert or fail into flow_runs default values returning lower(id)")).toBe(
      true,
    );
  });
});
