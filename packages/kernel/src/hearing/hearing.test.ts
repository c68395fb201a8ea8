import { describe, expect, test } from "vitest";
import { formatMicros } from "../clock/timestamp.ts";
import { createLogger } from "../log/logger.ts";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import { type ManualClock, manualClock } from "../testing/manual-clock.ts";
import { describeEachDatabase, openTestPostgres } from "../testing/test-database.ts";
import { createHearing, type DeadlineExtension } from "./hearing.ts";

const log = createLogger({ level: "silent", format: "json" });
const signal = new AbortController().signal;
const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;

/** A process that serves one service; the test owns its clock and its loop. */
function start(
  db: Database,
  clock: ManualClock,
  { service = "orchestrator", takesRequests = true } = {},
) {
  const extensions: DeadlineExtension[] = [];
  const hearing = createHearing({
    db,
    clock,
    log,
    service,
    takesRequests,
    extend: async (_tx, extension) => void extensions.push(extension),
  });
  /** Runs its loop for a while. */
  const run = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 5) {
      clock.advanceMs(5000);
      for (const { tick } of hearing.loops) await tick(signal);
    }
  };
  return { ...hearing, extensions, run };
}

/** The same database as one sees it who can be cut off from it. */
function cuttable(db: Database): { readonly db: Database; isCut: boolean } {
  const line: ReturnType<typeof cuttable> = {
    isCut: false,
    db: {
      ...db,
      writeSystem: (work) =>
        line.isCut ? Promise.reject(new Error("cut off")) : db.writeSystem(work),
    },
  };
  return line;
}

describeEachDatabase("the hearing of a service", (open) => {
  test("has no gap while its process goes on", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock();
    const server = start(t.db, clock);
    const began = clock.nowMicros();
    expect(await server.listen()).toBe(true);
    await server.run(600);
    expect(await server.listen()).toBe(true);
    expect(server.extensions).toEqual([]);
    expect(server.since()).toBe(began);
    expect(server.heardMicros(began, clock.nowMicros())).toBe(600 * SECOND);
  });

  test("has a gap after a pause of the process or a clock that jumps, which the next look notes", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock();
    const server = start(t.db, clock);
    await server.listen();
    await server.run(60);
    const began = clock.nowMicros();
    clock.advanceMs(3_600_000);
    expect(server.isStale()).toBe(true);
    expect(await server.listen()).toBe(true);
    expect(server.isStale()).toBe(false);
    expect(server.extensions).toEqual([{ began: formatMicros(began), seconds: 3600 }]);
    expect(server.since()).toBe(began + HOUR);
    await server.run(30);
    const now = clock.nowMicros();
    expect(server.heardMicros(began - 30 * SECOND, now)).toBe(60 * SECOND);
    expect(server.heardFrom(now, 60 * SECOND)).toBe(began - 30 * SECOND);
    expect(server.extensions).toHaveLength(1);
  });

  test("has a gap from the last mark of a process that was killed to the start of the next", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock();
    const killed = start(t.db, clock);
    await killed.listen();
    await killed.run(60);
    const began = clock.nowMicros();
    clock.advanceMs(600_000);
    const next = start(t.db, clock);
    expect(await next.listen()).toBe(true);
    expect(next.extensions).toEqual([{ began: formatMicros(began), seconds: 600 }]);
    expect(next.heardMicros(began - SECOND, clock.nowMicros())).toBe(SECOND);
    expect(killed.extensions).toEqual([]);
  });

  test("has no gap after a quick restart", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock();
    const first = start(t.db, clock);
    await first.listen();
    clock.advanceMs(10_000);
    const next = start(t.db, clock);
    await next.listen();
    expect(next.extensions).toEqual([]);
  });

  test("has a gap while its database is away, and judges nobody then", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock();
    const line = cuttable(t.db);
    const server = start(line.db, clock);
    await server.listen();
    line.isCut = true;
    clock.advanceMs(60_000);
    await expect(server.listen()).rejects.toThrow("cut off");
    clock.advanceMs(60_000);
    line.isCut = false;
    expect(await server.listen()).toBe(true);
    expect(server.extensions.map(({ seconds }) => seconds)).toEqual([120]);
  });

  test("goes on after its clock was ahead for a while", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock();
    const server = start(t.db, clock);
    await server.listen();
    clock.advanceMs(7_200_000);
    await server.listen();
    clock.advanceMs(-7_200_000);
    expect(server.isStale()).toBe(true);
    await server.listen();
    const setBack = clock.nowMicros();
    await server.run(60);
    expect(server.extensions).toHaveLength(1);
    expect(server.heardMicros(setBack, clock.nowMicros())).toBe(60 * SECOND);
    // An outage is noticed as before.
    clock.advanceMs(60_000);
    await server.listen();
    expect(server.extensions.map(({ seconds }) => seconds)).toEqual([7200, 60]);
  });

  test("is its own: a process of another service does not hear for it", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock();
    const first = start(t.db, clock);
    const other = start(t.db, clock, { service: "uptime" });
    await first.listen();
    await other.listen();
    await other.run(60);
    await first.listen();
    expect(first.extensions).toHaveLength(1);
    expect(other.extensions).toEqual([]);
  });

  test("is what others have written down, for a process that takes no requests", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock();
    const background = start(t.db, clock, { takesRequests: false });
    expect(background.loops).toEqual([]);
    expect(await background.listen()).toBe(false);
    const server = start(t.db, clock);
    await server.listen();
    expect(await background.listen()).toBe(true);
    clock.advanceMs(60_000);
    expect(await background.listen()).toBe(false);
    expect(background.isStale()).toBe(false);
    await server.listen();
    expect(await background.listen()).toBe(true);
    expect(background.heardMicros(0, clock.nowMicros())).toBe(clock.nowMicros() - 60 * SECOND);
    expect(background.extensions).toEqual([]);
  });
});

describe("the hearing of several replicas [postgres]", () => {
  test("has a gap only while none of them heard, which one of them notes", async () => {
    await using t = await openTestPostgres([kernelMigrations]);
    const clock = manualClock();
    const a = start(t.db, clock);
    const b = start(await t.openReplica(), clock);
    await Promise.all([a.listen(), b.listen()]);
    await b.run(300);
    await a.listen();
    expect([...a.extensions, ...b.extensions]).toEqual([]);
    clock.advanceMs(300_000);
    await Promise.all([a.listen(), b.listen()]);
    expect([...a.extensions, ...b.extensions].map(({ seconds }) => seconds)).toEqual([300]);
    const now = clock.nowMicros();
    expect(a.heardMicros(now - HOUR, now)).toBe(HOUR - 300 * SECOND);
    expect(b.heardMicros(now - HOUR, now)).toBe(HOUR - 300 * SECOND);
  });
});
