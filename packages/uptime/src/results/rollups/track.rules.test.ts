import fc from "fast-check";
import { expect, test } from "vitest";
import type { CheckStatus } from "../../db/tables/results.table.ts";
import type { TrackRow } from "../../db/tables/tracks.table.ts";
import type { StatusSpan } from "./rollup.rules.ts";
import { countedUntil, currentSpanOf, follow, withCurrentSpan } from "./track.rules.ts";

const MINUTE = 60_000_000;
/** For so many minutes a status is valid. */
const VALID = 3;

const NOTHING: TrackRow = {
  monitor_id: "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55",
  status: null,
  since: null,
  counted_until: null,
  valid_until: null,
  open_minute: null,
  streak_since: null,
  confirmed_since: null,
  told_status: null,
  incident_id: null,
  certificate_told: null,
  held_back_from: null,
  held_back_until: null,
};

/** What is known from which minute on, by the clock as it was then. */
type Seen = readonly [minute: number, status: CheckStatus | null];

/** What was counted, and the spans with the present one as far as it is counted; in minutes. */
function live(all: readonly Seen[]) {
  let track = NOTHING;
  const counted: StatusSpan[] = [];
  const spans: StatusSpan[] = [];
  for (const [minute, status] of all) {
    const known = currentSpanOf(track);
    const at = minute * MINUTE;
    const step = follow(known, {
      at,
      status,
      validUntil: at + VALID * MINUTE,
      countedUntil: countedUntil(track),
      isCounting: true,
    });
    if (step.held !== null) counted.push(step.held);
    if (step.ended !== null) spans.push(step.ended);
    track = withCurrentSpan(track, known, step);
  }
  const last = currentSpanOf(track);
  if (last !== null && last.countedUntil > last.since)
    spans.push({ status: last.status, from: last.since, until: last.countedUntil });
  return { counted, spans, last };
}

const inMinutes = ({ status, from, until }: StatusSpan) =>
  `${status} ${from / MINUTE}-${until / MINUTE}`;

interface Case {
  readonly title: string;
  readonly seen: readonly Seen[];
  readonly spans: readonly string[];
}

const CASES: readonly Case[] = [
  {
    title: "goes on",
    seen: [
      [0, "up"],
      [2, "up"],
      [4, "up"],
    ],
    spans: ["up 0-4"],
  },
  {
    title: "ends with another",
    seen: [
      [0, "up"],
      [2, "down"],
      [4, "down"],
    ],
    spans: ["up 0-2", "down 2-4"],
  },
  {
    title: "is not known for longer than it is valid",
    seen: [
      [0, "up"],
      [9, "up"],
    ],
    spans: ["up 0-3"],
  },
  {
    title: "is not known after a pause",
    seen: [
      [0, "up"],
      [2, null],
      [3, "up"],
      [4, "up"],
    ],
    spans: ["up 0-2", "up 3-4"],
  },
  {
    title: "that was counted by a clock that was ahead is not counted again",
    seen: [
      [0, "up"],
      [11, "down"],
      [13, "down"],
      [4, "down"],
      [6, "up"],
      [8, "up"],
    ],
    spans: ["up 0-3", "down 11-13"],
  },
  {
    title: "is counted on from where the counting had come to",
    seen: [
      [0, "up"],
      [2, "up"],
      [1, "down"],
      [3, "down"],
    ],
    spans: ["up 0-2", "down 2-3"],
  },
  {
    title: "is not counted again either when nothing was known meanwhile",
    seen: [
      [0, "up"],
      [11, "up"],
      [13, "up"],
      [14, null],
      [2, "up"],
      [4, "up"],
      [15, "up"],
    ],
    spans: ["up 0-3", "up 11-14"],
  },
  {
    title: "ends with a pause also when it is counted beyond that",
    seen: [
      [10, "up"],
      [12, "up"],
      [4, null],
      [13, "up"],
      [14, "up"],
    ],
    spans: ["up 10-12", "up 13-14"],
  },
  {
    title: "is counted at once when the clock was years ahead",
    seen: [
      [3_000_000, "up"],
      [3_000_002, "up"],
      [1, "up"],
      [3, "up"],
    ],
    spans: ["up 3000000-3000002", "up 1-3"],
  },
];

test.each(CASES)("a status $title", ({ seen, spans }) => {
  expect(live(seen).spans.map(inMinutes)).toEqual(spans);
});

/** What each minute was, as often as it is told. */
const minutesOf = (held: readonly StatusSpan[]) =>
  held
    .flatMap(({ status, from, until }) =>
      Array.from({ length: (until - from) / MINUTE }, (_, i) => `${from / MINUTE + i} ${status}`),
    )
    .toSorted();

test("a status is valid no longer than its last result says, also where it is not counted yet", () => {
  const { last } = live([
    [0, "up"],
    [20, "up"],
    [5, "up"],
  ]);
  expect(last).toMatchObject({ countedUntil: 20 * MINUTE, validUntil: (5 + VALID) * MINUTE });
});

test("no minute is counted twice however the clock goes, and the spans say the same", () => {
  const minute = fc.integer({ min: 0, max: 30 });
  const status = fc.constantFrom("up", "degraded", "down", null);
  fc.assert(
    fc.property(fc.array(fc.tuple(minute, status), { maxLength: 20 }), (seen) => {
      const { counted, spans } = live(seen);
      const minutes = minutesOf(counted);
      expect(minutesOf(spans)).toEqual(minutes);
      expect(new Set(minutes.map((one) => Number.parseInt(one, 10))).size).toBe(minutes.length);
    }),
  );
});
