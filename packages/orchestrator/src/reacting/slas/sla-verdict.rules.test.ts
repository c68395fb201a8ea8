import { expect, test } from "vitest";
import { type EvaluatedRun, evaluateSla } from "./sla-verdict.rules.ts";

const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 10, 14, 9) + seconds * 1000).toISOString().replace("Z", "000Z");

const WAITING: EvaluatedRun = {
  state_type: "SCHEDULED",
  state_timestamp: at(0),
  run_count: 0,
  expected_start_time: at(10),
  start_time: null,
  end_time: null,
  total_run_time: 0,
};
const RUNNING: EvaluatedRun = {
  ...WAITING,
  state_type: "RUNNING",
  state_timestamp: at(20),
  run_count: 1,
  start_time: at(20),
};
const ended = (end: number): EvaluatedRun => ({
  ...RUNNING,
  state_type: "COMPLETED",
  state_timestamp: at(end),
  end_time: at(end),
  total_run_time: end - 20,
});
const AGAIN: EvaluatedRun = { ...RUNNING, state_timestamp: at(500), run_count: 2 };

type Terms = Parameters<typeof evaluateSla>[0];

const DURATION = { kind: "duration", seconds: 60, since: at(0) } as const;
const LATENESS = { kind: "lateness", seconds: 60, since: at(0) } as const;

test.each<[string, Terms, [EvaluatedRun, number], object | null]>([
  ["a run that waits has no duration", DURATION, [WAITING, 1000], null],
  ["a run is watched from its start", DURATION, [RUNNING, 21], { since: at(20), due: at(80) }],
  [
    "it is violated at its bound",
    DURATION,
    [RUNNING, 80],
    { violated: at(80), due: null, over: null },
  ],
  ["one that ended in time kept it", DURATION, [ended(80), 90], { violated: null, over: at(80) }],
  [
    "one that ended too late did not",
    DURATION,
    [ended(81), 90],
    { violated: at(80), over: at(81) },
  ],
  ["one that is run again counts anew", DURATION, [AGAIN, 501], { since: at(500), due: at(560) }],
  ["a run that waits is expected to begin", LATENESS, [WAITING, 11], { due: at(70), over: null }],
  ["it is late at its bound", LATENESS, [WAITING, 70], { violated: at(70), over: null }],
  ["one that began in time kept it", LATENESS, [RUNNING, 90], { violated: null, over: at(20) }],
  [
    "freshness is not a matter of one run",
    { ...DURATION, kind: "freshness" as const },
    [RUNNING, 90],
    null,
  ],
  [
    "nothing is violated before there is an SLA",
    { ...LATENESS, since: at(100) },
    [WAITING, 101],
    { violated: at(100) },
  ],
])("%s", (_title, sla, [run, now], expected) => {
  const verdict = evaluateSla(sla, run, { since: null, now: at(now) });
  if (expected === null) expect(verdict).toBeNull();
  else expect(verdict).toMatchObject(expected);
});

test("a watch remembers when a run began, also while it waits to be tried again", () => {
  const retrying = { ...WAITING, run_count: 1, start_time: at(20) };
  expect(evaluateSla(DURATION, retrying, { since: null, now: at(70) })).toBeNull();
  expect(evaluateSla(DURATION, retrying, { since: at(20), now: at(70) })).toMatchObject({
    due: at(80),
  });
});
