import { formatMicros } from "@orchestrator/kernel/pure";
import { describe, expect, test } from "vitest";
import { type Bucket, firstBucket, isStateless, onEvent, onTime } from "./buckets.rules.ts";

const SECOND = 1_000_000;
const NOON = 1_794_657_600 * SECOND;

interface Given {
  readonly posture?: "Reactive" | "Proactive";
  readonly after?: readonly string[];
  readonly for_each?: readonly string[];
  readonly threshold?: number;
  readonly within?: number;
  readonly watchesUnasked?: boolean;
}

interface Fired {
  readonly at: number;
  /** When the event occurred that it is about. */
  readonly about: number | null;
}

/**
 * Plays events and looks at a trigger. Times are seconds: `5` is an expected event, `"after 5"` one
 * that starts the window, `"both 5"` one that does both, `"look 5"` a look at the bucket. The
 * answer is when it fired.
 */
function play(given: Given, steps: readonly (number | string)[]): number[] {
  return tell(given, steps).map(({ at }) => at);
}

function tell(given: Given, steps: readonly (number | string)[]): Fired[] {
  const trigger = {
    posture: "Reactive" as const,
    after: [],
    for_each: [],
    threshold: 1,
    within: 0,
    ...given,
  };
  let bucket: Bucket | null = firstBucket(trigger, NOON);
  const fired: Fired[] = [];
  for (const step of steps) {
    const [word = "", time = ""] = typeof step === "number" ? ["event", step] : step.split(" ");
    const at = NOON + Number(time) * SECOND;
    if (word === "look" && bucket === null) continue;
    const body = JSON.stringify({ occurred: formatMicros(at), seconds: Number(time) });
    const isExpected = word !== "after";
    const startsWindow = word === "after" || word === "both";
    const after =
      word === "look" && bucket !== null
        ? onTime(trigger, bucket, at)
        : onEvent(trigger, bucket, { at, turn: at, isExpected, startsWindow, body });
    bucket = after.bucket;
    for (const about of after.firings)
      fired.push({ at: Number(time), about: about === null ? null : secondsIn(about) });
  }
  return fired;
}

const secondsIn = (body: string): number => (JSON.parse(body) as { seconds: number }).seconds;

describe("a reactive trigger", () => {
  test.each<[string, Given, readonly (number | string)[], number[]]>([
    ["fires at each event without a window", {}, [1, 2, 2, 1], [1, 2, 2, 1]],
    ["fires at each third event", { threshold: 3 }, [1, 2, 3, 4, 5, 6, 7], [3, 6]],
    ["forgets what it counted a minute later", { threshold: 2 }, [1, "look 62", 63, 64], [64]],
    ["keeps what it counted for a minute", { threshold: 2 }, [1, "look 60", 60], [60]],
    ["fires once in a window", { within: 10 }, [1, 5, 10.9, 11, 12], [1, 11]],
    ["counts within the window only", { threshold: 2, within: 10 }, [1, 12, 13], [13]],
    ["begins anew with a late event", { threshold: 3, within: 10 }, [1, 2, 30, 31, 32], [32]],
    ["counts events in the wrong order", { threshold: 2, within: 10 }, [100, 50], [50]],
    ["ignores events from before", { threshold: 2, within: 10 }, [1000, 50, 60], []],
    ["ignores what came before a window that follows", { within: 10 }, [1, 3, 9], [1]],
  ])("%s", (_what, given, steps, expected) => {
    expect(play(given, steps)).toEqual(expected);
  });

  test.each<[string, Given, readonly (number | string)[], number[]]>([
    ["waits for what must come first", { within: 10 }, [1, "after 2", 3, 4], [3]],
    ["lets the window end", { within: 10 }, ["after 1", 12, 13], []],
    ["begins again with the next", { within: 10 }, ["after 1", 12, "after 13", 14], [14]],
    ["keeps a window that is open", { within: 10 }, ["after 1", "after 9", 12], []],
    ["needs the event once more that is both", { within: 10 }, ["both 1", "both 2", "both 3"], [2]],
    ["counts up", { within: 10, threshold: 2 }, ["after 1", 2, 3, 4], [3]],
    ["fires without a window", {}, ["after 1", 30, 31], [30]],
    ["forgets without a window after a minute", {}, ["after 1", "look 62", 63], []],
    ["never fires where the same event does both without a window", {}, ["both 1", "both 2"], []],
    ["ignores what happened before", { within: 10 }, ["after 5", 4], []],
  ])("that waits for another event first %s", (_what, given, steps, expected) => {
    expect(play({ after: ["x"], ...given }, steps)).toEqual(expected);
  });
});

describe("a proactive trigger", () => {
  const absent = { posture: "Proactive", within: 10 } as const;
  test.each<[string, Given, readonly (number | string)[], number[]]>([
    ["fires when nothing came", {}, ["look 9", "look 10", "look 19", "look 20"], [10, 20]],
    ["does not fire when it came", {}, [5, "look 10", 15, "look 20"], []],
    ["begins the next window with the look", {}, ["look 12", "look 21", "look 22"], [12, 22]],
    ["fires when too few came", { threshold: 2 }, [5, "look 10"], [10]],
    ["fires before a late event counts", {}, [12, "look 21", "look 22"], [12]],
    [
      "fires for each key that goes on",
      { for_each: ["a"], threshold: 2 },
      [1, "look 11", "look 21"],
      [11, 21],
    ],
    ["forgets a key that was met", { for_each: ["a"] }, [1, "look 11", "look 30"], []],
  ])("%s", (_what, given, steps, expected) => {
    expect(play({ ...absent, ...given }, steps)).toEqual(expected);
  });

  test.each<[string, Given, readonly (number | string)[], number[]]>([
    ["waits for nothing at first", {}, ["look 10", "look 20"], []],
    ["fires once", {}, ["after 1", "look 11", "look 21"], [11]],
    ["does not fire when it came", {}, ["after 1", 2, "look 11"], []],
    ["ignores what was expected before", {}, [1, "after 2", "look 12"], [12]],
    ["is put off by an event that is both", {}, ["both 1", "both 9", "look 11", "look 19"], [19]],
    ["ends with an expected event", {}, ["both 1", "both 9", 15, "look 19", "look 40"], []],
    ["counts what happened in the window and came before it", {}, [3, "after 2", "look 12"], []],
    ["counts it once", { threshold: 2 }, [3, "after 2", "look 12"], [12]],
    ["counts it with what comes in time", { threshold: 2 }, [3, "after 2", 4, "look 12"], []],
    ["ignores what happened behind the window", {}, [12, "after 2", "look 12"], [12]],
    ["counts in each window it is in", {}, [8, "both 2", "look 12", "both 7", "look 17"], []],
    [
      "is ended by what came before the last event that is both",
      {},
      ["both 1", 6, "both 5", "look 15"],
      [],
    ],
    [
      "goes on with an event that is both and happened later",
      {},
      ["both 1", 5, "both 6", "look 16"],
      [16],
    ],
    ["forgets what came half an hour ago", {}, [3, "look 1803", "after 2", "look 1804"], [1804]],
  ])("that waits for another event first %s", (_what, given, steps, expected) => {
    expect(play({ ...absent, after: ["x"], ...given }, steps)).toEqual(expected);
  });

  test.each<[string, Given, readonly (number | string)[], (number | null)[]]>([
    ["of the event that opened it", {}, ["after 1", "after 5", "look 11"], [1]],
    ["of the last that was expected", { threshold: 3 }, ["after 1", 5, 3, "look 11"], [3]],
    ["of none that came too late", { threshold: 2 }, ["after 3", 4, 1, "look 13"], [4]],
    ["of the one that begins it anew", {}, ["both 1", "both 5", "look 15"], [5]],
    [
      "of what was expected after that",
      { threshold: 2 },
      ["both 1", "both 2", 6, "both 5", "look 15"],
      [6],
    ],
    [
      "of that one, when what was expected happened before it",
      { threshold: 2 },
      ["both 1", "both 2", 4, "both 5", "look 15"],
      [5],
    ],
    ["of nothing where nothing came", { watchesUnasked: true }, ["after 5", "look 10"], [null]],
  ])("that waits for another event first tells %s", (_what, given, steps, about) => {
    const fired = tell({ ...absent, after: ["x"], ...given }, steps);
    expect(fired.map((one) => one.about)).toEqual(about);
  });

  test.each<[string, Given, readonly (number | string)[], number[]]>([
    ["fires though that has not come", {}, ["look 9", "look 10"], [10]],
    ["does not fire when it came", {}, [5, "look 10", "look 20", "look 29"], []],
    ["fires again a window later", {}, ["look 10", "look 20", "look 29", "look 30"], [10, 30]],
    ["waits from the other event on", {}, ["look 10", "after 15", "look 24", "look 25"], [10, 25]],
    ["keeps the window that is open", {}, ["after 5", "look 10"], [10]],
    ["ignores what comes between two windows", {}, ["look 10", 15, "look 20", "look 30"], [10, 30]],
    ["ignores what comes between two windows late", {}, ["look 10", 21, "look 31"], [10]],
    ["waits for each value from that event on", { for_each: ["a"] }, ["look 10", "look 20"], []],
  ])(
    "that waits for another event first and is watched all the same %s",
    (_what, given, steps, fired) => {
      expect(play({ ...absent, after: ["x"], watchesUnasked: true, ...given }, steps)).toEqual(
        fired,
      );
    },
  );
});

test("only a trigger that fires at each event has nothing to remember", () => {
  const trigger = {
    posture: "Reactive",
    after: [],
    for_each: ["a"],
    threshold: 1,
    within: 0,
  } as const;
  expect(isStateless(trigger)).toBe(true);
  expect(isStateless({ ...trigger, within: 1 })).toBe(false);
  expect(isStateless({ ...trigger, threshold: 2 })).toBe(false);
  expect(isStateless({ ...trigger, after: ["x"] })).toBe(false);
  expect(isStateless({ ...trigger, posture: "Proactive" })).toBe(false);
});

test.each([
  [1600, true],
  [1800, false],
])(
  "what came in a window of %d seconds is held behind it: %s, as nothing is held for longer than half an hour",
  (within, isHeld) => {
    const trigger = {
      posture: "Proactive" as const,
      after: ["x"],
      for_each: ["a"],
      threshold: 1,
      within,
    };
    const arrival = { at: NOON, turn: NOON, isExpected: false, startsWindow: true, body: "{}" };
    const opened = onEvent(trigger, null, arrival).bucket;
    const met = onEvent(trigger, opened, { ...arrival, isExpected: true, startsWindow: false });
    if (met.bucket === null) throw new Error("The window is gone");
    const { bucket } = onTime(trigger, met.bucket, NOON + within * SECOND);
    expect(bucket !== null).toBe(isHeld);
  },
);
