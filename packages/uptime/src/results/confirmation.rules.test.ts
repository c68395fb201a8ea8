import { expect, test } from "vitest";
import type { CheckStatus } from "../db/tables/results.table.ts";
import { confirmStatus, type StatusConfirmation } from "./confirmation.rules.ts";

interface Case {
  readonly results: readonly CheckStatus[];
  readonly confirm_down?: number;
  readonly confirm_up?: number;
  /** What is told after which result, counted from 1. */
  readonly told: readonly string[];
}

const CASES: readonly Case[] = [
  { results: ["up", "up"], told: [] },
  { results: ["down"], told: ["1 down"] },
  { results: ["up", "down", "up"], told: ["2 down", "3 up"] },
  { results: ["up", "degraded", "down", "degraded"], told: ["2 degraded", "3 down", "4 degraded"] },
  { results: ["up", "down", "down", "up"], confirm_down: 3, told: [] },
  { results: ["up", "down", "down", "down", "down"], confirm_down: 3, told: ["4 down"] },
  { results: ["down", "down"], confirm_down: 2, told: ["2 down"] },
  { results: ["up", "degraded", "down", "down"], confirm_down: 3, told: ["4 down"] },
  { results: ["down", "up", "down", "up", "up"], confirm_up: 2, told: ["1 down", "5 up"] },
  { results: ["down", "degraded", "degraded"], confirm_up: 2, told: ["1 down", "3 degraded"] },
];

test.each(CASES)("$results with $confirm_down and $confirm_up tells $told", (given) => {
  const thresholds = { confirm_down: given.confirm_down ?? 1, confirm_up: given.confirm_up ?? 1 };
  let state: StatusConfirmation = { confirmed: null, streak: 0 };
  const told = given.results.flatMap((status, i) => {
    const verdict = confirmStatus(state, status, thresholds);
    state = verdict;
    return verdict.isNews ? [`${i + 1} ${verdict.confirmed}`] : [];
  });
  expect(told).toEqual(given.told);
});
