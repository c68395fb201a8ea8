import { manualClock, until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { systemStatement } from "../db/tables.ts";
import { anOutcome, type ScriptedTargets, scriptedTargets } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi, type UptimeApi } from "../testing.ts";
import { Engine } from "./engine.ts";

async function openBench(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const targets = scriptedTargets();
  const api = await open({ clock, pipeline: targets.pipeline });
  const engine = new Engine(api.ctx);
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i += 1) {
      clock.advanceMs(1000);
      engine.startDue();
      await api.ctx.runs.idle();
    }
  };
  return { api, clock, targets, engine, pass, [Symbol.asyncDispose]: api[Symbol.asyncDispose] };
}

async function create(api: UptimeApi, more: Readonly<Record<string, unknown>> = {}) {
  const body = { name: "shop", url: "https://shop.example.com", interval: 10, ...more };
  const answer = await api.post("/monitors", body);
  expect(answer.status).toBe(201);
  return (answer.body as { readonly id: string }).id;
}

const runsOf = ({ runs }: ScriptedTargets, id: string) => runs.filter((run) => run.id === id);

const spoil = systemStatement<{ id: string }>()((db, p) =>
  db
    .updateTable("monitors")
    .set({ schedule: "* * * * *", timezone: "Nowhere/Land" })
    .where("id", "=", p.id),
);

describeEachUptimeApi("the engine in trouble", (open) => {
  test("starts nothing of what it held under a name that it has lost", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, pass } = bench;
    const id = await create(api);
    await engine.tick();
    await pass(20);
    const before = runsOf(targets, id).length;
    expect(before).toBeGreaterThan(0);
    // The hold lapsed, and the database cannot be asked for another.
    api.ctx.runs.startOver(api.ctx.ids.uuid4());
    await pass(30);
    expect(runsOf(targets, id)).toHaveLength(before);
  });

  test("does not run a monitor again that was paused while a run was under way", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, clock, pass } = bench;
    const id = await create(api);
    let release = (): void => {};
    targets.answer = () =>
      new Promise((resolve) => {
        release = () => resolve(anOutcome());
      });
    await engine.tick();
    clock.advanceMs(10_000);
    engine.startDue();
    await until(() => expect(runsOf(targets, id)).toHaveLength(1));
    await api.patch(`/monitors/${id}`, { enabled: false });
    await engine.sync();
    targets.answer = () => anOutcome();
    release();
    await api.ctx.runs.idle();
    await pass(30);
    expect(runsOf(targets, id)).toHaveLength(1);
    await api.patch(`/monitors/${id}`, { enabled: true });
    await engine.sync();
    await pass(20);
    expect(runsOf(targets, id).length).toBeGreaterThan(1);
  });

  test("goes on with the others when the times of one monitor cannot be worked out", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, pass } = bench;
    const spoilt = await create(api);
    const others = [await create(api), await create(api)];
    await api.ctx.db.writeSystem((tx) => tx.run(spoil, { id: spoilt }));
    await engine.tick();
    await pass(30);
    for (const id of others) expect(runsOf(targets, id).length).toBeGreaterThanOrEqual(2);
    expect(runsOf(targets, spoilt)).toHaveLength(0);
    await api.patch(`/monitors/${spoilt}`, { schedule: null, timezone: "UTC" });
    await engine.sync();
    await pass(20);
    expect(runsOf(targets, spoilt).length).toBeGreaterThan(0);
  });

  test("remembers a refused login only of monitors that it has", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets } = bench;
    targets.answer = () => anOutcome("down", { authFailed: true });
    const id = await create(api, { enabled: false });
    expect((await api.post(`/monitors/${id}/check`)).status).toBe(200);
    expect(api.ctx.runs.heldBack.size).toBe(1);
    await engine.sync();
    expect(api.ctx.runs.heldBack.size).toBe(0);
  });
});
