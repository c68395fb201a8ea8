import type { StateType } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { ALL, ENDS, FROM_ALL, flowRun, later, NOW, without } from "../../testing/rule-tests.ts";
import { afterLast, NEW_TIMES, type RunTimes, timesAfter } from "./derive-run.ts";
import type { From } from "./rule.ts";

/** The times of a run in `run` that goes from one type of state to another now. */
function enter(
  from: From,
  to: StateType,
  { isCounted = true, ...run }: Partial<RunTimes> & { isCounted?: boolean } = {},
): RunTimes {
  const next = flowRun({ from, to }).proposed;
  return timesAfter({ ...NEW_TIMES, ...run }, { from, next, isCounted });
}

/** The types of state of which something is true of the run that enters them. */
const typesWhere = (test: (times: RunTimes) => boolean, run: Partial<RunTimes> = {}) =>
  ALL.filter((to) => test(enter("PENDING", to, run)));

test("a run knows when it entered its state", () => {
  expect(typesWhere((times) => times.state_timestamp === NOW)).toEqual([...ALL]);
});

test("a run starts with its first RUNNING state, or with its end if there was none", () => {
  expect(typesWhere((times) => times.start_time === NOW)).toEqual(["RUNNING", ...ENDS]);
  const start_time = later(-60);
  expect(typesWhere((times) => times.start_time === start_time, { start_time })).toEqual([...ALL]);
});

test("a run ends with the first of its last states, and is open again when it leaves them", () => {
  expect(typesWhere((times) => times.end_time === NOW)).toEqual([...ENDS]);
  const end_time = later(-60);
  expect(typesWhere((times) => times.end_time === end_time, { end_time })).toEqual([...ENDS]);
  expect(typesWhere((times) => times.end_time === null, { end_time })).toEqual(
    without(ALL, ...ENDS),
  );
});

test("a run has run for as long as it was RUNNING, whatever comes after", () => {
  const run = { state_timestamp: later(-1.5), total_run_time: 10 };
  for (const from of FROM_ALL) {
    for (const to of ALL) {
      expect(enter(from, to, run).total_run_time).toBe(from === "RUNNING" ? 11.5 : 10);
    }
  }
});

test("a clock that went back takes nothing away", () => {
  const run = { state_timestamp: later(60), total_run_time: 10 };
  expect(enter("RUNNING", "COMPLETED", run).total_run_time).toBe(10);
});

test("entering RUNNING counts, unless it is no new execution", () => {
  expect(typesWhere((times) => times.run_count === 3, { run_count: 2 })).toEqual(["RUNNING"]);
  expect(enter("SCHEDULED", "RUNNING", { run_count: 2, isCounted: false }).run_count).toBe(2);
});

test("the start is expected for the scheduled time or the first state, once and for all", () => {
  const scheduled_time = later(600);
  const { proposed } = flowRun({
    from: null,
    to: "SCHEDULED",
    proposed: { state_details: { scheduled_time } },
  });
  const first = timesAfter(NEW_TIMES, { from: null, next: proposed, isCounted: true });
  expect(first).toMatchObject({ expected_start_time: scheduled_time });
  expect(typesWhere((times) => times.expected_start_time === NOW)).toEqual([...ALL]);
  const expected_start_time = later(-60);
  const isKept = (times: RunTimes) => times.expected_start_time === expected_start_time;
  expect(typesWhere(isKept, { expected_start_time })).toEqual([...ALL]);
});

test("the next start is known only while a run is SCHEDULED", () => {
  const next_scheduled_start_time = later(-60);
  const at = (times: RunTimes) => times.next_scheduled_start_time;
  expect(typesWhere((times) => at(times) === NOW, { next_scheduled_start_time })).toEqual([
    "SCHEDULED",
  ]);
  expect(typesWhere((times) => at(times) === null, { next_scheduled_start_time })).toEqual(
    without(ALL, "SCHEDULED"),
  );
});

test("no two states of a run share a time", () => {
  expect(afterLast(NOW, null)).toBe(NOW);
  expect(afterLast(later(1), NOW)).toBe(later(1));
  expect(afterLast(NOW, NOW)).toBe("2026-01-01T00:00:00.000001Z");
  expect(afterLast(NOW, "2026-01-01T00:00:59.999999Z")).toBe("2026-01-01T00:01:00.000000Z");
});
