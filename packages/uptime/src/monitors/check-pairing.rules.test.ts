import { expect, test } from "vitest";
import type { CheckConfig } from "../checks/registry.ts";
import { type PlacedCheck, pairChecks } from "./check-pairing.rules.ts";

type Options = Readonly<Record<string, unknown>>;

const MASK = "********";
const A = { username: "a", password: MASK };
const B = { username: "b", password: MASK };
const GIVEN = { isGiven: true };

/** Checks of one type; what is given anew keeps nothing. */
const placed = (all: readonly Options[]): PlacedCheck[] =>
  all.map(({ isGiven = false, ...options }, n) => ({
    place: n === 0 ? "instance" : `instance#${n + 1}`,
    check: { type: "instance", ...options } as CheckConfig,
    isKeeping: isGiven !== true,
  }));

interface Case {
  readonly what: string;
  readonly stored: readonly Options[];
  readonly sent: readonly Options[];
  /** The stored check of each that is sent, counted from 1; null when that cannot be told. */
  readonly found: readonly (number | null | undefined)[];
}

const CASES: readonly Case[] = [
  { what: "one alone, whatever was changed", stored: [A], sent: [B], found: [1] },
  { what: "the last when the first is taken out", stored: [A, B], sent: [B], found: [2] },
  { what: "both when they are swapped", stored: [A, B], sent: [B, A], found: [2, 1] },
  {
    what: "both when both are changed and swapped",
    stored: [A, B],
    sent: [
      { ...B, retries: 1 },
      { ...A, retries: 1 },
    ],
    found: [2, 1],
  },
  {
    what: "one that is changed beside one that is not",
    stored: [A, B],
    sent: [{ username: "c", password: MASK }, A],
    found: [2, 1],
  },
  {
    what: "one that is changed beside one whose secret is given anew",
    stored: [A, B],
    sent: [
      { ...A, ...GIVEN },
      { username: "c", password: MASK },
    ],
    found: [1, 2],
  },
  {
    what: "one that is changed beside a new one",
    stored: [A],
    sent: [
      { username: "c", password: MASK, ...GIVEN },
      { ...A, retries: 1 },
    ],
    found: [undefined, 1],
  },
  { what: "twins by their order", stored: [A, A], sent: [A, A], found: [1, 2] },
  {
    what: "not one of twins when the other is taken out",
    stored: [A, A],
    sent: [A],
    found: [null],
  },
  { what: "not a copy", stored: [A, B], sent: [A, A], found: [1, null] },
  {
    what: "not one that could be either",
    stored: [A, B],
    sent: [{ username: "c", password: MASK }],
    found: [null],
  },
  {
    what: "not one that has something of both",
    stored: [
      { ...A, retries: 1 },
      { ...B, retries: 2 },
    ],
    sent: [{ ...A, retries: 2 }],
    found: [null],
  },
  {
    what: "not two that could be the same",
    stored: [A],
    sent: [
      { ...A, retries: 1 },
      { ...A, retries: 2 },
    ],
    found: [null, null],
  },
];

test.each(CASES)("a check that is sent back is $what", ({ stored, sent, found }) => {
  const pairs = pairChecks(placed(sent), placed(stored));
  const places = placed(stored).map(({ place }) => place);
  expect(placed(sent).map(({ place }) => pairs.get(place))).toEqual(
    found.map((n) => (typeof n === "number" ? places[n - 1] : n)),
  );
});

test("a check that is sent back is none of another type", () => {
  const stored = placed([A]).map((each) => ({ ...each, check: { type: "http" } as const }));
  expect(pairChecks(placed([A]), stored).get("instance")).toBeUndefined();
});
