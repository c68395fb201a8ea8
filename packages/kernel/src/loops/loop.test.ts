import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLogger } from "../log/logger.ts";
import { deferred } from "../testing/deferred.ts";
import { Loop, type LoopDefinition, type LoopOptions } from "./loop.ts";

const EVERY_MS = 1000;
const started: Loop[] = [];
const unfinished: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
  });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const finish of unfinished.splice(0)) finish();
  await Promise.all(started.splice(0).map((loop) => loop.stop()));
});

/** Halfway: no jitter. */
const noJitter = (): number => 0.5;

function start(tick: LoopDefinition["tick"], options: Partial<LoopOptions> = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const seen = { passes: [] as { seconds: number; late: number }[], failures: 0 };
  const loop = new Loop(
    { name: "sweep", everyMs: EVERY_MS, runs: "each", tick },
    {
      log: createLogger({ level: "error", format: "json", destination }),
      observer: {
        onPass: (_name, seconds, late) => seen.passes.push({ seconds, late }),
        onFailure: () => {
          seen.failures += 1;
        },
      },
      mayRun: () => true,
      random: noJitter,
      ...options,
    },
  );
  started.push(loop);
  loop.start();
  return { loop, lines, seen };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A tick that counts, and is done when the test says so. */
function slowTick() {
  const calls: { signal: AbortSignal; finish: () => void }[] = [];
  const tick = (signal: AbortSignal): Promise<void> => {
    const end = deferred();
    calls.push({ signal, finish: end.resolve });
    unfinished.push(end.resolve);
    return end.promise;
  };
  return { calls, tick };
}

test("a pass under way is told when the lease has passed to another replica", async () => {
  const { calls, tick } = slowTick();
  let isHeld = true;
  start(tick, { mayRun: () => isHeld });
  await pass(500);
  expect(calls[0]?.signal.aborted).toBe(false);
  isHeld = false;
  await pass(500);
  expect(calls[0]?.signal.aborted).toBe(true);
});

describe("passes", () => {
  test("begin at once and follow one another at the period", async () => {
    const times: number[] = [];
    const begin = performance.now();
    start(async () => {
      times.push(performance.now() - begin);
    });
    await pass(2500);
    expect(times).toEqual([0, 1000, 2000]);
  });

  test("keep the period from start to start, however long each takes", async () => {
    const times: number[] = [];
    const begin = performance.now();
    start(async () => {
      times.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 400));
    });
    await pass(2500);
    expect(times).toEqual([0, 1000, 2000]);
  });

  test("never overlap: one that takes longer than the period delays the next", async () => {
    const { calls, tick } = slowTick();
    start(tick);
    await pass(10 * EVERY_MS);
    expect(calls).toHaveLength(1);
    calls[0]?.finish();
    await pass(0);
    expect(calls).toHaveLength(2);
  });

  test("are spread by chance around the period", async () => {
    const chances = [0, 1];
    const times: number[] = [];
    const begin = performance.now();
    const random = () => chances.shift() ?? 0.5;
    start(
      async () => {
        times.push(performance.now() - begin);
      },
      { random },
    );
    await pass(2100);
    expect(times).toEqual([0, 900, 2000]);
  });

  test("are told to the observer with how long they took and how late they began", async () => {
    const { calls, tick } = slowTick();
    const { seen } = start(tick);
    await pass(1500);
    calls[0]?.finish();
    await pass(0);
    calls[1]?.finish();
    await pass(0);
    expect(seen.passes).toEqual([
      { seconds: 1.5, late: 0 },
      { seconds: 0, late: 0.5 },
    ]);
  });
});

describe("a nudge", () => {
  test("calls for a pass at once", async () => {
    const { loop, seen } = start(async () => {});
    await pass(300);
    loop.nudge();
    await pass(0);
    expect(seen.passes).toEqual([
      { seconds: 0, late: 0 },
      { seconds: 0, late: 0 },
    ]);
  });

  test("during a pass calls for one more, however often it comes", async () => {
    const { calls, tick } = slowTick();
    const { loop } = start(tick);
    await pass(0);
    for (let n = 0; n < 3; n += 1) loop.nudge();
    await pass(0);
    expect(calls).toHaveLength(1);
    calls[0]?.finish();
    await pass(0);
    expect(calls).toHaveLength(2);
    calls[1]?.finish();
    await pass(EVERY_MS - 1);
    expect(calls).toHaveLength(2);
  });
});

describe("a failing pass", () => {
  const failures = async (everyMs: number): Promise<number[]> => {
    const times: number[] = [];
    const begin = performance.now();
    start(async () => {
      times.push(performance.now() - begin);
      throw new Error("no luck");
    });
    await pass(everyMs);
    return times;
  };

  test("is tried again after ever longer pauses, up to half a minute", async () => {
    const times = await failures(150_000);
    const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
    const rounded = pauses.map((seconds) => Number(seconds.toFixed(1)));
    expect(rounded).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test("does not become a busy loop by nudges, which shorten its longer pauses only", async () => {
    let passes = 0;
    const { loop } = start(async () => {
      passes += 1;
      throw new Error("no luck");
    });
    for (let ms = 0; ms < 10_000; ms += 10) {
      loop.nudge();
      await pass(10);
    }
    expect(passes).toBeGreaterThan(10);
    expect(passes).toBeLessThan(25);
  });

  test("is logged and counted, and the period returns with the first success", async () => {
    let isBroken = true;
    const { loop, lines, seen } = start(async () => {
      if (isBroken) throw new Error("no luck");
    });
    await pass(600);
    expect(seen.failures).toBe(2);
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ loop: "sweep", failures: 2 });
    expect(loop.health()).toMatchObject({
      status: "failing",
      failuresInARow: 2,
      lastError: "An unexpected error, which the log describes",
    });
    isBroken = false;
    await pass(1000);
    expect(loop.health()).toMatchObject({
      status: "ok",
      passes: 3,
      failuresInARow: 0,
      lastError: null,
    });
    await pass(EVERY_MS);
    expect(loop.health().passes).toBe(4);
  });

  test("may throw anything", async () => {
    const { loop } = start(() => Promise.reject("a text"));
    await pass(0);
    expect(loop.health()).toMatchObject({
      status: "failing",
      lastError: "An unexpected error, which the log describes",
    });
  });

  test("may fail before it returns a promise", async () => {
    const { loop } = start(() => {
      throw new Error("no luck");
    });
    await pass(0);
    expect(loop.health()).toMatchObject({
      status: "failing",
      lastError: "An unexpected error, which the log describes",
    });
  });
});

describe("stopping", () => {
  test("tells the pass under way, waits for its end and begins no other", async () => {
    const { calls, tick } = slowTick();
    const { loop } = start(tick);
    await pass(0);
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await pass(5 * EVERY_MS);
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(isStopped).toBe(false);
    calls[0]?.finish();
    await stopped;
    await pass(5 * EVERY_MS);
    expect(calls).toHaveLength(1);
    expect(loop.health().status).toBe("stopped");
  });

  test("ends a pause at once, that of a failing pass as well", async () => {
    const fine = start(async () => {});
    const failing = start(() => Promise.reject(new Error("no luck")));
    await pass(0);
    await Promise.all([fine.loop.stop(), failing.loop.stop()]);
    expect(fine.seen.passes).toHaveLength(1);
    expect(failing.seen.passes).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("comes before the first pass when it is called first", async () => {
    let passes = 0;
    const loop = new Loop(
      { name: "sweep", everyMs: EVERY_MS, runs: "each", tick: async () => void (passes += 1) },
      {
        log: createLogger({ level: "silent", format: "json" }),
        observer: { onPass: () => {}, onFailure: () => {} },
        mayRun: () => true,
        random: noJitter,
      },
    );
    await loop.stop();
    expect(passes).toBe(0);
    expect(loop.health().status).toBe("stopped");
  });
});

describe("without its lease", () => {
  test("a loop stands by, looks again every period and begins when nudged", async () => {
    let mayRun = false;
    const { loop, seen } = start(async () => {}, { mayRun: () => mayRun });
    await pass(3 * EVERY_MS);
    expect(seen.passes).toHaveLength(0);
    expect(loop.health()).toMatchObject({
      status: "standby",
      passes: 0,
      secondsSinceLastPass: null,
    });
    mayRun = true;
    loop.nudge();
    await pass(0);
    expect(loop.health()).toMatchObject({ status: "ok", passes: 1 });
    mayRun = false;
    expect(loop.health()).toMatchObject({ status: "standby", passes: 1 });
    await pass(EVERY_MS);
    expect(loop.health()).toMatchObject({ status: "standby", passes: 1 });
  });
});

test("health tells name, state, passes, failures and the time since the last pass", async () => {
  const { calls, tick } = slowTick();
  const { loop } = start(tick);
  await pass(0);
  expect(loop.health()).toEqual({
    name: "sweep",
    status: "starting",
    passes: 0,
    failuresInARow: 0,
    lastError: null,
    secondsSinceLastPass: null,
  });
  calls[0]?.finish();
  await pass(250);
  expect(loop.health()).toEqual({
    name: "sweep",
    status: "ok",
    passes: 1,
    failuresInARow: 0,
    lastError: null,
    secondsSinceLastPass: 0.25,
  });
});
