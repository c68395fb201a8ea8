import type { EventFilter } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";

const DAY_MICROS = 86_400_000_000;
const DEFAULT_DAYS = 180;
/** How far a sender's clock may be ahead of ours: what was just sent is found at once. */
const SKEW_MICROS = 60 * 1_000_000;

/** From when to when, both included. */
export interface EventPeriod {
  readonly since: string;
  readonly until: string;
}

/** Half a year up to the present, where the filter does not say otherwise. */
export function periodOf({ occurred }: EventFilter, nowMicros: number): EventPeriod {
  const today = Math.floor(nowMicros / DAY_MICROS) * DAY_MICROS;
  return {
    since: occurred?.since ?? occurred?.since_ ?? formatMicros(today - DEFAULT_DAYS * DAY_MICROS),
    until: occurred?.until ?? occurred?.until_ ?? formatMicros(nowMicros + SKEW_MICROS),
  };
}

/** Texts from `low` up to, but not including, `high`. */
export interface TextRange {
  readonly low: string;
  readonly high: string;
}

/** The texts that begin with one of the prefixes; null where every text does. */
export function prefixRangesOf(prefixes: readonly string[]): TextRange[] | null {
  const ranges: TextRange[] = [];
  for (const low of new Set(prefixes)) {
    const high = textAfter(low);
    if (high === null) return null;
    ranges.push({ low, high });
  }
  return ranges;
}

const LAST = 0x10_ff_ff;
const BEFORE_SURROGATES = 0xd7_ff;
const AFTER_SURROGATES = 0xe0_00;

/** The first text behind all those that begin with the prefix, in the order of code points. */
function textAfter(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  const next = last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}

/** The longest stretch that is counted in pieces. */
const MAX_BUCKETS = 1000;
const SECOND = 1_000_000;

export const UNIT_MICROS = {
  week: 7 * DAY_MICROS,
  day: DAY_MICROS,
  hour: 3600 * SECOND,
  minute: 60 * SECOND,
  second: SECOND,
} as const;
export type TimeUnit = keyof typeof UNIT_MICROS;

/** A Monday: where a piece of any length begins. */
const ANCHOR = parseMicros("2024-04-01T00:00:00.000000Z");

/**
 * Pieces of one length, one behind the other: `count` of them from `start`. Times are microseconds.
 */
export interface Buckets {
  readonly start: number;
  readonly length: number;
  readonly count: number;
}

/**
 * The pieces that a period touches, none of the future nor one that begins as it ends; null when
 * there are too many.
 */
export function countBucketsOf(
  { since, until }: EventPeriod,
  { unit, interval, nowMicros }: { unit: TimeUnit; interval: number; nowMicros: number },
): Buckets | null {
  const length = Math.round(UNIT_MICROS[unit] * interval);
  const from = parseMicros(since);
  const to = Math.min(parseMicros(until), endOfUnit(nowMicros, UNIT_MICROS[unit]));
  if ((to - from) / length > MAX_BUCKETS) return null;
  const first = Math.floor((from - ANCHOR) / length);
  const end = Math.ceil((to - ANCHOR) / length);
  return { start: ANCHOR + first * length, length, count: Math.max(0, end - first) };
}

const endOfUnit = (micros: number, unit: number): number =>
  ANCHOR + (Math.floor((micros - ANCHOR) / unit) + 1) * unit - 1;

/** What comparing the labels of one event with patterns may take: some milliseconds. */
const MAX_PATTERN_STEPS = 4_000_000;

/**
 * A pattern that has to be looked for in every place of a text: comparing takes the product of
 * their lengths.
 */
export const isSearched = (pattern: string): boolean => /\*[^*]/.test(pattern);

/** The longest text that such patterns are asked of, all of them together. */
export function longestSearched(patterns: readonly string[]): number {
  const searched = patterns.filter(isSearched);
  const characters = searched.reduce((sum, { length }) => sum + length, 0);
  return Math.floor(MAX_PATTERN_STEPS / Math.max(1, characters));
}
