import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type LeaseKeeper, soleHolder } from "../leases/lease-keeper.ts";
import { createLogger } from "../log/logger.ts";
import { createWakeUps, type WakeUps } from "../storage/wake-ups.ts";
import { deferred } from "../testing/deferred.ts";
import type { LoopDefinition } from "./loop.ts";
import { createSupervisor, type Supervisor, type SupervisorOptions } from "./supervisor.ts";

const log = createLogger({ level: "silent", format: "json" });
const running: Supervisor[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.splice(0).map((supervisor) => supervisor.stop()));
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function aLoop(values: Partial<LoopDefinition>): LoopDefinition {
  return { name: "sweep", everyMs: 1000, runs: "each", tick: async () => {}, ...values };
}

/** A keeper whose leases the test hands out. */
function handedOut(order: string[] = []) {
  const wanted = new Map<string, () => void>();
  const held = new Set<string>();
  const leases: LeaseKeeper = {
    holder: "me",
    want: (name, onTaken) => wanted.set(name, onTaken),
    isHeld: (name) => held.has(name),
    start: () => order.push("leases start"),
    stop: async () => void order.push("leases stop"),
  };
  const give = (name: string): void => {
    held.add(name);
    wanted.get(name)?.();
  };
  return { leases, wanted, held, give };
}

function supervise(
  definitions: readonly LoopDefinition[],
  { leases = soleHolder("me"), nudges = createWakeUps(log) }: Partial<SupervisorOptions> = {},
) {
  const supervisor = createSupervisor(definitions, {
    leases,
    nudges,
    log,
    observer: { onPass: () => {}, onFailure: () => {} },
    random: () => 0.5,
  });
  running.push(supervisor);
  return { supervisor, nudges };
}

test("starts the loops in the order of the list, after the leases", async () => {
  const order: string[] = [];
  const { leases } = handedOut(order);
  const names = ["a", "b", "c"];
  const loops = names.map((name) => aLoop({ name, tick: async () => void order.push(name) }));
  const { supervisor } = supervise(loops, { leases });
  supervisor.start();
  await pass(0);
  expect(order).toEqual(["leases start", "a", "b", "c"]);
});

test("stops them in reverse, lets passes finish, and gives the leases back last", async () => {
  const order: string[] = [];
  const { leases } = handedOut(order);
  const ends = [deferred(), deferred()];
  const loops = ends.map((end, n) =>
    aLoop({
      name: `loop ${n}`,
      tick: async () => {
        await end.promise;
        order.push(`loop ${n} ends`);
      },
    }),
  );
  const { supervisor } = supervise(loops, { leases });
  supervisor.start();
  await pass(0);
  order.length = 0;
  const stopped = supervisor.stop();
  await pass(5000);
  expect(order).toEqual([]);
  ends[1]?.resolve();
  await pass(0);
  ends[0]?.resolve();
  await stopped;
  expect(order).toEqual(["loop 1 ends", "loop 0 ends", "leases stop"]);
});

test("runs a loop of one replica only with its lease, and at once when it gets it", async () => {
  const passes: string[] = [];
  const { leases, wanted, held, give } = handedOut();
  const { supervisor } = supervise(
    [
      aLoop({ name: "each", tick: async () => void passes.push("each") }),
      aLoop({ name: "one", runs: "one", tick: async () => void passes.push("one") }),
    ],
    { leases },
  );
  supervisor.start();
  await pass(0);
  expect([...wanted.keys()]).toEqual(["loop:one"]);
  expect(passes).toEqual(["each"]);
  expect(supervisor.health()).toMatchObject([
    { name: "each", status: "ok" },
    { name: "one", status: "standby" },
  ]);
  give("loop:one");
  await pass(0);
  expect(passes).toEqual(["each", "one"]);
  held.clear();
  await pass(1000);
  expect(passes).toEqual(["each", "one", "each"]);
});

test("wakes the loops that wait for a topic, and none after it was stopped", async () => {
  const passes: string[] = [];
  const { supervisor, nudges } = supervise([
    aLoop({ name: "a", wakeOn: ["things", "parts"], tick: async () => void passes.push("a") }),
    aLoop({ name: "b", wakeOn: ["things"], tick: async () => void passes.push("b") }),
    aLoop({ name: "c", tick: async () => void passes.push("c") }),
  ]);
  supervisor.start();
  await pass(0);
  passes.length = 0;
  nudges.fire("things");
  await pass(0);
  expect(passes).toEqual(["a", "b"]);
  nudges.fire("parts");
  await pass(0);
  expect(passes).toEqual(["a", "b", "a"]);
  await supervisor.stop();
  nudges.fireAll();
  await pass(5000);
  expect(passes).toEqual(["a", "b", "a"]);
});

test("leaves no listener behind when it is stopped", async () => {
  let listeners = 0;
  const nudges: WakeUps = {
    fire: () => {},
    fireAll: () => {},
    tellEveryChange: () => true,
    confirmAlone: async () => true,
    on() {
      listeners += 1;
      return () => {
        listeners -= 1;
      };
    },
  };
  const { supervisor } = supervise([aLoop({ wakeOn: ["things", "parts"] })], { nudges });
  expect(listeners).toBe(2);
  supervisor.start();
  await supervisor.stop();
  expect(listeners).toBe(0);
});

test("lets one loop fail without the others", async () => {
  const { supervisor } = supervise([
    aLoop({ name: "broken", tick: () => Promise.reject(new Error("no luck")) }),
    aLoop({ name: "sound" }),
  ]);
  supervisor.start();
  await pass(1000);
  expect(supervisor.health()).toMatchObject([
    {
      name: "broken",
      status: "failing",
      lastError: "An unexpected error, which the log describes",
    },
    { name: "sound", status: "ok", passes: 2 },
  ]);
});

test("runs the loops of one replica at once where there is only one", async () => {
  let passes = 0;
  const { supervisor } = supervise([aLoop({ runs: "one", tick: async () => void (passes += 1) })]);
  supervisor.start();
  await pass(0);
  expect(passes).toBe(1);
});
