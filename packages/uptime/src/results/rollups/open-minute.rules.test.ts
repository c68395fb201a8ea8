import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { expect, test } from "vitest";
import { countIn } from "./open-minute.rules.ts";
import { emptyCounters } from "./rollup.rules.ts";

const NOON = parseMicros("2026-11-15T12:00:00.000000Z");
const MINUTE = 60_000_000;

interface Case {
  readonly title: string;
  /** The open minute and that of the result, counted from noon on. */
  readonly open: number | null;
  readonly result: number;
  readonly isNewest: boolean;
  readonly expected: { readonly open: number; readonly done: number | null };
}

const CASES: readonly Case[] = [
  { title: "begins", open: null, result: 0, isNewest: true, expected: { open: 0, done: null } },
  { title: "stays", open: 0, result: 0, isNewest: true, expected: { open: 0, done: null } },
  {
    title: "ends with the next",
    open: 0,
    result: 5,
    isNewest: true,
    expected: { open: 5, done: 0 },
  },
  {
    title: "outlasts a late result",
    open: 5,
    result: 0,
    isNewest: false,
    expected: { open: 5, done: 0 },
  },
  {
    title: "ends when the clock was ahead",
    open: 99,
    result: 5,
    isNewest: true,
    expected: { open: 5, done: 99 },
  },
];

test.each(CASES)("the open minute $title", ({ open, result, isNewest, expected }) => {
  const counted = {
    status: "up",
    inconclusive: false,
    maintenance: false,
    elapsedMicros: 1,
  } as const;
  const before = open === null ? null : { start: startOf(open), ...emptyCounters() };
  const after = countIn(before, { ...counted, at: NOON + result * MINUTE }, isNewest);
  expect({ open: after.open.start, done: after.done?.start ?? null }).toEqual({
    open: startOf(expected.open),
    done: expected.done === null ? null : startOf(expected.done),
  });
});

const startOf = (minute: number): string => formatMicros(NOON + minute * MINUTE);
