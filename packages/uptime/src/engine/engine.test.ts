import { parseMicros } from "@orchestrator/kernel/pure";
import { until } from "@orchestrator/kernel/testing";
import { expect, test, vi } from "vitest";
import { addTestMonitor, openBench, openReplica } from "../testing/engine-bench.ts";
import { anOutcome, type ScriptedTargets } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi } from "../testing.ts";
import { Engine } from "./engine.ts";

const SECOND = 1_000_000;
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

const timesOf = ({ runs }: ScriptedTargets, id: string): number[] =>
  runs.filter((run) => run.id === id).map(({ at }) => parseMicros(at));

const gaps = (times: readonly number[]): number[] =>
  times.slice(1).map((time, i) => time - (times[i] ?? 0));

describeEachUptimeApi("the engine", (open) => {
  test("checks each monitor once per interval, without drift", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, pass } = bench;
    const ids = [await addTestMonitor(api), await addTestMonitor(api), await addTestMonitor(api)];
    await engine.tick();
    // Every tick is late by up to 700 ms; the times of the monitors stay where they are.
    await pass(70, 700);
    for (const id of ids) {
      const times = timesOf(targets, id).slice(1);
      const first = times[0] ?? 0;
      expect(times.length).toBeGreaterThanOrEqual(6);
      times.forEach((time, i) => {
        expect(Math.abs(time - first - i * 10 * SECOND)).toBeLessThanOrEqual(700_000);
      });
    }
  });

  test("runs once after a stall, not once for each time that was missed", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, clock, pass } = bench;
    const id = await addTestMonitor(api);
    await engine.tick();
    await pass(20);
    const before = timesOf(targets, id).length;
    clock.advanceMs(3_600_000);
    engine.startDue();
    await api.ctx.runs.idle();
    engine.startDue();
    await api.ctx.runs.idle();
    expect(timesOf(targets, id)).toHaveLength(before + 1);
    await pass(20);
    expect(timesOf(targets, id)).toHaveLength(before + 3);
  });

  test("does not start a run while one is under way", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, clock } = bench;
    const id = await addTestMonitor(api);
    let release = (): void => {};
    targets.answer = () =>
      new Promise((resolve) => {
        release = () => resolve(anOutcome());
      });
    await engine.tick();
    for (let i = 0; i < 30; i += 1) {
      clock.advanceMs(1000);
      engine.startDue();
    }
    await until(() => expect(timesOf(targets, id)).toHaveLength(1));
    release();
    await api.ctx.runs.idle();
    expect(targets.mostAtOnce()).toBe(1);
  });

  test("keeps the times of a monitor across a restart", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, pass, clock } = bench;
    const id = await addTestMonitor(api);
    await engine.tick();
    await pass(30);
    await engine.stop();
    const again = new Engine(api.ctx);
    await again.tick();
    for (let i = 0; i < 30; i += 1) {
      clock.advanceMs(1000);
      again.startDue();
      await api.ctx.runs.idle();
    }
    expect(new Set(gaps(timesOf(targets, id).slice(1)))).toEqual(new Set([10 * SECOND]));
  });

  test("leaves a paused monitor alone and takes up a resumed one", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, pass } = bench;
    const id = await addTestMonitor(api);
    await engine.tick();
    await pass(20);
    await api.patch(`/monitors/${id}`, { enabled: false });
    await engine.sync();
    expect(engine.share).toBe(0);
    const before = timesOf(targets, id).length;
    await pass(30);
    expect(timesOf(targets, id)).toHaveLength(before);
    await api.patch(`/monitors/${id}`, { enabled: true });
    await engine.sync();
    await pass(10);
    expect(timesOf(targets, id).length).toBeGreaterThan(before);
  });

  test("follows a new interval, and forgets what was deleted", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, pass } = bench;
    const id = await addTestMonitor(api, { interval: 2_678_400 });
    await engine.tick();
    await pass(10);
    expect(timesOf(targets, id)).toHaveLength(1);
    await api.patch(`/monitors/${id}`, { interval: 10 });
    await engine.sync();
    await pass(40);
    expect(timesOf(targets, id).length).toBeGreaterThanOrEqual(4);
    await api.delete(`/monitors/${id}`);
    await engine.sync();
    expect(engine.share).toBe(0);
  });

  test("works by itself until it is stopped: hears of changes, and lets what runs end", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, clock } = bench;
    const stop = new AbortController();
    const working = engine.work(stop.signal);
    let release = (): void => {};
    targets.answer = () =>
      new Promise((resolve) => {
        release = () => resolve(anOutcome("degraded"));
      });
    const id = await addTestMonitor(api);
    await until(() => expect(engine.share).toBe(1));
    clock.advanceMs(1000);
    api.ctx.db.wakeUps.fire("monitors");
    await until(() => expect(timesOf(targets, id)).toHaveLength(1));
    stop.abort();
    release();
    await working;
    expect((await api.get(`/monitors/${id}/results`)).body).toMatchObject([{ status: "degraded" }]);
    expect(engine.share).toBe(0);
  });

  test("goes on after the clock was set back", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, clock, pass } = bench;
    const id = await addTestMonitor(api);
    await engine.tick();
    await pass(20);
    const before = timesOf(targets, id).length;
    clock.advanceMs(-3_600_000);
    // What is due before the step is noticed is passed over.
    engine.startDue();
    await pass(20);
    expect(timesOf(targets, id)).toHaveLength(before + 2);
  });

  test("says when a monitor is run next", async () => {
    await using bench = await openBench(open);
    const { api, engine, pass, clock } = bench;
    const id = await addTestMonitor(api);
    const next = async () =>
      ((await api.get(`/monitors/${id}`)).body as { next_check: string | null }).next_check;
    expect(await next()).toBeNull();
    await engine.tick();
    expect(await next()).not.toBeNull();
    await pass(20);
    expect(parseMicros((await next()) ?? "") - clock.nowMicros()).toBeLessThanOrEqual(10 * SECOND);
  });

  test("backs off where the credentials were refused, until the monitor is edited", async () => {
    await using bench = await openBench(open);
    const { api, clock, engine, targets, pass } = bench;
    targets.answer = () => anOutcome("down", { authFailed: true });
    const id = await addTestMonitor(api, { interval: 60 });
    clock.advanceMs(1);
    await engine.tick();
    await pass(60);
    await pass(240);
    expect(timesOf(targets, id)).toHaveLength(1);
    // Another process knows of it, too.
    const other = new Engine(api.ctx);
    api.ctx.runs.heldBack.clear();
    await other.sync();
    expect(api.ctx.runs.heldBack.has(id)).toBe(true);
    await pass(120);
    expect(timesOf(targets, id)).toHaveLength(2);
    await api.patch(`/monitors/${id}`, { url: "https://other.example.com" });
    await engine.sync();
    await pass(60);
    expect(timesOf(targets, id)).toHaveLength(3);
  });

  test("runs a monitor that is edited while its old credentials are being refused", async () => {
    await using bench = await openBench(open);
    const { api, clock, engine, targets, pass } = bench;
    let refuse = (): void => {};
    targets.answer = () =>
      new Promise((resolve) => {
        refuse = () => resolve(anOutcome("down", { authFailed: true }));
      });
    const id = await addTestMonitor(api, { interval: 2_678_400 });
    clock.advanceMs(1);
    await engine.tick();
    clock.advanceMs(1);
    const right = {
      pipeline: [{ type: "instance", username: "watch", password: "the right one" }],
    };
    await api.patch(`/monitors/${id}`, right);
    await engine.tick();
    targets.answer = () => anOutcome("up");
    refuse();
    await api.ctx.runs.idle();
    await pass(1, 100);
    expect(timesOf(targets, id)).toHaveLength(2);
    expect((await api.get(`/monitors/${id}`)).body).toMatchObject({ last_status: "up" });
  });

  test("a check by hand joins the run that is under way", async () => {
    await using bench = await openBench(open);
    const { api, engine, targets, clock } = bench;
    const id = await addTestMonitor(api);
    let release = (): void => {};
    targets.answer = () =>
      new Promise((resolve) => {
        release = () => resolve(anOutcome("degraded"));
      });
    await engine.tick();
    clock.advanceMs(10_000);
    engine.startDue();
    const looks = vi.spyOn(api.ctx.runs, "find");
    const answers = Promise.all([
      api.post(`/monitors/${id}/check`),
      api.post(`/monitors/${id}/check`),
    ]);
    await until(() => expect(looks).toHaveBeenCalledTimes(2));
    expect(targets.runs).toHaveLength(1);
    release();
    const [one, other] = await answers;
    expect(one).toMatchObject({ status: 200, body: { monitor_id: id, status: "degraded" } });
    expect(other?.body).toEqual(one?.body);
    expect(targets.runs).toHaveLength(1);
    expect((await api.get(`/monitors/${id}/results`)).body).toEqual([one?.body]);
  });

  test("a paused monitor can be checked by hand, and an unknown one cannot", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const id = await addTestMonitor(api, { enabled: false });
    expect(await api.post(`/monitors/${id}/check`)).toMatchObject({
      status: 200,
      body: { monitor_id: id, status: "up", message: "http: up", elapsed_ms: 12.5 },
    });
    expect((await api.get(`/monitors/${id}`)).body).toMatchObject({ last_status: "up" });
    expect(await api.post(`/monitors/${UNKNOWN_ID}/check`)).toMatchObject({
      status: 404,
      body: { detail: "Monitor not found" },
    });
    expect((await api.post("/monitors/nonsense/check")).status).toBe(404);
  });

  test("checks all enabled monitors that have the tags, in their order", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const first = await addTestMonitor(api, { tags: ["a", "b"] });
    await addTestMonitor(api, { tags: ["a", "b"], enabled: false });
    const second = await addTestMonitor(api, { tags: ["b"] });
    const third = await addTestMonitor(api, { tags: ["b", "a"] });
    const checked = async (query: string, asked?: unknown) => {
      const { body, status } = await api.post(`/monitors/check-all${query}`, asked);
      expect(status).toBe(200);
      return (body as { monitor_id: string }[]).map(({ monitor_id }) => monitor_id);
    };
    expect(await checked("")).toEqual([first, second, third]);
    expect(await checked("?tag=a&tag=b")).toEqual([first, third]);
    expect(await checked("?tag=none")).toEqual([]);
    expect(await checked("", { tag: "b" })).toEqual([first, second, third]);
    expect(await checked("", { tag: ["a", "b"] })).toEqual([first, third]);
    expect(await checked("?tag=b", { tag: "a" })).toEqual([first, third]);
    expect(await checked("", { tag: null })).toEqual([first, second, third]);
  });

  test("refuses to check all for a filter that it does not know", async () => {
    await using bench = await openBench(open);
    const { api, targets } = bench;
    await addTestMonitor(api);
    for (const asked of [{ tags: ["a"] }, { tag: 5 }, { tag: [5] }, ["a"]])
      expect((await api.post("/monitors/check-all", asked)).status).toBe(422);
    expect(targets.runs).toEqual([]);
  });

  test("tells nobody when its own network is gone", async () => {
    await using bench = await openBench(open, { settings: { referenceTargets: ["127.0.0.1:1"] } });
    const { api, targets } = bench;
    const id = await addTestMonitor(api);
    await api.post(`/monitors/${id}/check`);
    targets.answer = () => anOutcome("down", { unreachable: true });
    const answer = await api.post(`/monitors/${id}/check`);
    expect(answer.body).toMatchObject({
      status: "down",
      message: expect.stringContaining("inconclusive"),
    });
    expect((await api.get(`/monitors/${id}`)).body).toMatchObject({ last_status: "up" });
    expect((await api.events()).map(({ event }) => event)).not.toContain(
      "orchestrator.monitor.Down",
    );
  });
});

describeEachUptimeApi("several engines", (open) => {
  test("share the monitors, and each is checked once per interval", async ({ skip }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { api, clock, targets } = bench;
    const other = await openReplica(bench);
    const ids = await Promise.all(Array.from({ length: 11 }, () => addTestMonitor(api)));
    const engines = [bench.engine, other.engine];
    const step = async (seconds: number) => {
      for (let i = 0; i < seconds; i += 1) {
        clock.advanceMs(1000);
        await Promise.all(engines.map((engine) => engine.tick()));
        await Promise.all([api.ctx.runs.idle(), other.ctx.runs.idle()]);
      }
    };
    await step(12);
    expect(engines.map(({ share }) => share).toSorted((a, b) => a - b)).toEqual([5, 6]);
    const before = targets.runs.length;
    await step(50);
    const runs = targets.runs.slice(before);
    for (const id of ids) expect(runs.filter((run) => run.id === id)).toHaveLength(5);
    expect(targets.mostAtOnce()).toBe(1);
  });

  test("take over what a dead one has held, once its hold is over", async ({ skip }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { api } = bench;
    const dead = await openReplica(bench, { holdSeconds: 0.3 });
    for (let i = 0; i < 4; i += 1) await addTestMonitor(api);
    await dead.engine.sync();
    expect(dead.engine.share).toBe(4);
    await until(async () => {
      await bench.engine.sync();
      expect(bench.engine.share).toBe(4);
    });
    // Should it come back, it knows that it holds nothing any more.
    dead.engine.startDue();
    await dead.engine.sync();
    await bench.engine.sync();
    await dead.engine.sync();
    expect([dead.engine.share, bench.engine.share]).toEqual([2, 2]);
  });

  test("take over at once what one has held whose process is gone, but only where nobody else is there", async ({
    skip,
  }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { api, engine } = bench;
    for (let i = 0; i < 4; i += 1) await addTestMonitor(api);
    const [dead, alive] = [await openReplica(bench), await openReplica(bench)];
    await dead.engine.sync();
    await alive.engine.sync();
    await api.ctx.db.exclusively((session) =>
      session.execute("update engine_sessions set expires = '9999-01-01T00:00:00.000000Z'"),
    );
    await dead.ctx.db.close();
    for (let i = 0; i < 5; i += 1) await engine.sync();
    expect(engine.share).toBe(0);
    await alive.ctx.db.close();
    await until(async () => {
      await engine.sync();
      expect(engine.share).toBe(4);
    });
  });

  test("a result of a monitor that has passed to another is not kept", async ({ skip }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { api, targets, clock } = bench;
    const slow = await openReplica(bench, { holdSeconds: 0.3 });
    const id = await addTestMonitor(api);
    let release = (): void => {};
    targets.answer = () =>
      new Promise((resolve) => {
        release = () => resolve(anOutcome("down"));
      });
    await slow.engine.sync();
    clock.advanceMs(10_000);
    slow.engine.startDue();
    await until(() => expect(targets.runs).toHaveLength(1));
    await until(async () => {
      await bench.engine.sync();
      expect(bench.engine.share).toBe(1);
    });
    release();
    await slow.ctx.runs.idle();
    expect((await api.get(`/monitors/${id}/results`)).body).toEqual([]);
  });
});
