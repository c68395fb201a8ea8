import { parseMicros } from "@orchestrator/kernel/pure";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { anOutcome, scriptedTargets } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";
import { Engine } from "./engine.ts";

const MONTH_MS = 2_678_400_000;

async function openBench(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const targets = scriptedTargets();
  const api = await open({ clock, pipeline: targets.pipeline });
  const engine = new Engine(api.ctx);
  return {
    api,
    clock,
    targets,
    engine,
    create: async (more: Readonly<Record<string, unknown>> = {}): Promise<string> => {
      const body = { name: "shop", url: "https://shop.example.com", interval: 2_678_400, ...more };
      return ((await api.post("/monitors", body)).body as { readonly id: string }).id;
    },
    change: async (id: string, changes: Readonly<Record<string, unknown>>) => {
      // Two changes of one moment could not be told apart.
      clock.advanceMs(2);
      expect((await api.patch(`/monitors/${id}`, changes)).status).toBe(200);
      clock.advanceMs(2);
    },
    /** Looks at what was changed, and runs what is due within some milliseconds. */
    settle: async (ms = 10) => {
      await engine.sync();
      clock.advanceMs(ms);
      engine.startDue();
      await api.ctx.runs.idle();
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("a monitor that is run once a month", (open) => {
  test("is checked at once when it is new, resumed, or looks elsewhere, otherwise or more often", async () => {
    await using bench = await openBench(open);
    const { targets, change, settle } = bench;
    const id = await bench.create();
    await settle();
    expect(targets.runs).toHaveLength(1);
    const edits = [
      { url: "https://shop.example.com/health" },
      { pipeline: [{ type: "http", timeout_ms: 5000 }] },
      { interval: 1_800_000 },
    ];
    for (const [i, edit] of edits.entries()) {
      await change(id, edit);
      await settle();
      expect(targets.runs).toHaveLength(i + 2);
    }
    await change(id, { enabled: false });
    await settle();
    expect(targets.runs).toHaveLength(4);
    await change(id, { enabled: true });
    await settle();
    expect(targets.runs).toHaveLength(5);
    // From then on it is due at its own times.
    await settle();
    expect(targets.runs).toHaveLength(5);
  });

  test("is not checked because its name or its tags have changed", async () => {
    await using bench = await openBench(open);
    const { targets, change, settle } = bench;
    const id = await bench.create();
    await settle();
    await change(id, { name: "Shop", tags: ["web"], confirm_down: 3 });
    await settle(1000);
    expect(targets.runs).toHaveLength(1);
  });

  test("waits for its schedule if it has one, whatever is edited", async () => {
    await using bench = await openBench(open);
    const { targets, change, settle } = bench;
    const id = await bench.create({ schedule: "0 12 * * *" });
    await settle();
    await change(id, { url: "https://shop.example.com/health" });
    await settle(1000);
    expect(targets.runs).toHaveLength(0);
  });

  test("is checked as it is now once the run that was under way when it was edited has ended", async () => {
    await using bench = await openBench(open);
    const { api, clock, targets, engine, change } = bench;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    targets.answer = async () => {
      await released;
      return anOutcome();
    };
    const id = await bench.create();
    await engine.sync();
    clock.advanceMs(10);
    engine.startDue();
    await change(id, { url: "https://shop.example.com/health" });
    await engine.sync();
    engine.startDue();
    expect(targets.runs).toHaveLength(1);
    release();
    await api.ctx.runs.idle();
    clock.advanceMs(200);
    engine.startDue();
    await api.ctx.runs.idle();
    expect(targets.runs).toHaveLength(2);
  });
});

describeEachUptimeApi("very many monitors", (open) => {
  test("that are new are no herd: each is checked within its interval, at its own time", async () => {
    await using bench = await openBench(open);
    const { api, clock, targets, engine } = bench;
    const count = 1000;
    const monitors = Array.from({ length: count }, (_, i) => ({
      name: `shop ${i}`,
      url: `https://shop-${i}.example.com`,
      interval: 10,
    }));
    expect((await api.post("/import", { version: 1, monitors })).status).toBe(200);
    await engine.sync();
    const perSecond: number[] = [];
    for (let second = 0; second < 10; second += 1) {
      const before = targets.runs.length;
      for (let ms = 0; ms < 1000; ms += 100) {
        clock.advanceMs(100);
        engine.startDue();
      }
      await api.ctx.runs.idle();
      perSecond.push(targets.runs.length - before);
    }
    expect(new Set(targets.runs.map(({ id }) => id)).size).toBe(count);
    // A hundred and a few are run at once beside those whose time it is.
    expect(Math.max(...perSecond)).toBeLessThan(count * 0.3);
  });

  test("whose times were missed are run after a restart, one after the other", async () => {
    await using bench = await openBench(open);
    const { api, clock, targets, engine, settle } = bench;
    const ids = [];
    for (let i = 0; i < 20; i += 1) ids.push(await bench.create({ name: `shop ${i}` }));
    await settle(1000);
    expect(targets.runs).toHaveLength(20);
    await engine.stop();
    clock.advanceMs(2 * MONTH_MS);
    const restarted = new Engine(api.ctx);
    await restarted.sync();
    clock.advanceMs(100);
    restarted.startDue();
    await api.ctx.runs.idle();
    const late = targets.runs.slice(20);
    expect(new Set(late.map(({ id }) => id))).toEqual(new Set(ids));
    expect(parseMicros(late[0]?.at ?? "")).toBeGreaterThan(0);
  });
});
