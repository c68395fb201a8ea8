import { expect, test } from "vitest";
import { type ChildFiring, onChildFiring } from "./composite.rules.ts";
import type { CompositeTrigger, EventTriggerRule } from "./triggers.rules.ts";

const child = (id: string): EventTriggerRule => ({
  type: "event",
  id,
  match: {},
  match_related: {},
  after: [],
  expect: [],
  for_each: [],
  posture: "Reactive",
  threshold: 1,
  within: 0,
});
const triggers = [child("a"), child("b"), child("c")];

/** Firings as `a1`: child a at second 1. The answer is which ones made it fire. */
function play(trigger: CompositeTrigger, steps: readonly string[]): string[] {
  let known: readonly ChildFiring[] = [];
  const fired: string[] = [];
  steps.forEach((step, position) => {
    const childId = step.charAt(0);
    const at = Number(step.slice(1)) * 1_000_000;
    const after = onChildFiring(trigger, known, {
      childId,
      fired: at,
      position,
      labels: {},
      event: null,
    });
    known = after.children;
    if (after.fires !== null)
      fired.push(after.fires.map((part) => `${part.childId}${part.fired / 1_000_000}`).join(" "));
  });
  return fired;
}

const compound = (
  require: number | "any" | "all",
  within: number | null = 10,
): CompositeTrigger => ({
  type: "compound",
  id: "parent",
  triggers,
  require,
  within,
});
const sequence: CompositeTrigger = { type: "sequence", id: "parent", triggers, within: 10 };

test("sequence: one event is not enough, whichever of its steps wait for it", () => {
  const firing = (childId: string, position: number): ChildFiring => ({
    childId,
    fired: position * 1_000_000,
    position,
    labels: {},
    event: null,
  });
  const known = [firing("c", 1), firing("b", 1)];
  const alone = onChildFiring(sequence, known, firing("a", 1));
  expect(alone).toMatchObject({ fires: null, remark: { verdict: "others-missing" } });
  const again = onChildFiring(sequence, alone.children, firing("c", 2));
  expect(again.fires?.map(({ childId, position }) => `${childId}${position}`)).toEqual([
    "a1",
    "b1",
    "c2",
  ]);
});

test.each<[string, CompositeTrigger, string[], string[]]>([
  ["all: fires when each has fired", compound("all"), ["a1", "b2", "c3"], ["a1 b2 c3"]],
  ["all: takes the newest of each", compound("all"), ["a1", "a4", "b2", "c3"], ["b2 c3 a4"]],
  ["all: lets old ones go", compound("all"), ["a1", "b2", "c13"], []],
  ["all: keeps them without a window", compound("all", null), ["a1", "b2", "c900"], ["a1 b2 c900"]],
  ["all: begins afresh", compound("all"), ["a1", "b1", "c1", "a2", "b2"], ["a1 b1 c1"]],
  ["any: fires straight through", compound("any"), ["b1", "b2"], ["b1", "b2"]],
  ["two: fires when two have", compound(2), ["a1", "a2", "c3"], ["a2 c3"]],
  ["sequence: fires in order", sequence, ["a1", "b2", "c3"], ["a1 b2 c3"]],
  ["sequence: not in another", sequence, ["b1", "a2", "c3"], []],
  ["sequence: waits to be put right", sequence, ["b1", "a2", "c3", "b4", "c5"], ["a2 b4 c5"]],
  ["sequence: same moment, in the order of the log", sequence, ["a1", "b1", "c1"], ["a1 b1 c1"]],
])("%s", (_what, trigger, steps, expected) => {
  expect(play(trigger, steps)).toEqual(expected);
});
