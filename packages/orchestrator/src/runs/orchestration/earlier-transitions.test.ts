import { expect, test } from "vitest";
import { ANY_ID, flowRun, OTHER_ID } from "../../testing/rule-tests.ts";
import { isEarlier, leftStateJson } from "./earlier-transitions.ts";

const stateOf = (transition_id: string | null) =>
  flowRun({ from: null, to: "RUNNING", proposed: { state_details: { transition_id } } }).proposed;

test("a transition is behind a run once it leaves the state that it led to", () => {
  const first = leftStateJson(null, stateOf(ANY_ID));
  const second = leftStateJson(first, stateOf(OTHER_ID));
  expect([first, second].map((earlier) => isEarlier(earlier, ANY_ID))).toEqual([true, true]);
  expect([first, second].map((earlier) => isEarlier(earlier, OTHER_ID))).toEqual([false, true]);
});

test("a state without a transition, or none at all, leaves what is known", () => {
  for (const left of [stateOf(null), null]) {
    expect(leftStateJson(null, left)).toBeNull();
    expect(leftStateJson(ANY_ID, left)).toBe(ANY_ID);
  }
  expect(isEarlier(null, ANY_ID)).toBe(false);
  expect(isEarlier(ANY_ID, null)).toBe(false);
});

test("the last eight are known", () => {
  const ids = Array.from(
    { length: 12 },
    (_, n) => `0000000${n.toString(16)}-0000-4000-8000-000000000000`,
  );
  let earlier: string | null = null;
  for (const id of ids) earlier = leftStateJson(earlier, stateOf(id));
  expect(ids.filter((id) => isEarlier(earlier, id))).toEqual(ids.slice(-8));
});
