import { expect, test } from "vitest";
import { matcherOf } from "./matching.rules.ts";
import type { TriggerEvent } from "./trigger-event.rules.ts";
import type { EventTriggerRule } from "./triggers.rules.ts";

const EVENT: TriggerEvent = {
  id: "e",
  workspaceId: "w",
  position: 1,
  name: "prefect.flow-run.Failed",
  at: 0,
  received: "2026-11-14T09:00:00.000000Z",
  turn: 0,
  follows: null,
  resource: { "prefect.resource.id": "prefect.flow-run.1", colour: "red" },
  related: [
    { "prefect.resource.id": "prefect.flow.7", "prefect.resource.role": "flow" },
    { "prefect.resource.id": "prefect.tag.nightly", "prefect.resource.role": "tag" },
    { "prefect.resource.id": "prefect.tag.eu", "prefect.resource.role": "tag" },
  ],
  body: "{}",
  sent: { name: "prefect.flow-run.Failed", occurred: "2026-11-14T09:00:00.000000Z" },
  chain: null,
};

function matcher(given: Partial<EventTriggerRule>) {
  return matcherOf({
    type: "event",
    id: "t",
    match: {},
    match_related: {},
    after: [],
    expect: [],
    for_each: [],
    posture: "Reactive",
    threshold: 1,
    within: 0,
    ...given,
  });
}

test.each<[EventTriggerRule["match"], boolean]>([
  [{}, true],
  [{ colour: "red" }, true],
  [{ colour: ["blue", "r*"] }, true],
  [{ colour: "!blue" }, true],
  [{ colour: "!red" }, false],
  [{ size: "!big" }, false],
  [{ colour: [] }, false],
  [{ constructor: "*" }, false],
  [{ toString: "!x" }, false],
  [{ "orchestrator.resource.id": "orchestrator.flow-run.*" }, true],
  [{ "prefect.resource.id": "prefect.flow-run.?", colour: "blue" }, false],
])("the labels %j are asked of the resource itself", (match, expected) => {
  expect(matcher({ match }).findMismatch(EVENT) === null).toBe(expected);
});

const FLOW = { "prefect.resource.role": "flow", "prefect.resource.id": "orchestrator.flow.7" };
const TAG = { "prefect.resource.role": "tag", "prefect.resource.id": "prefect.tag.eu" };

test.each<[EventTriggerRule["match_related"], boolean]>([
  [FLOW, true],
  [{ ...FLOW, "prefect.resource.role": "tag" }, false],
  [[FLOW, TAG], true],
  [[FLOW, { ...TAG, "prefect.resource.id": "prefect.tag.us" }], false],
  [[], true],
  [[{}], true],
])("each of the related %j is asked of one resource", (match_related, expected) => {
  expect(matcher({ match_related }).findMismatch(EVENT) === null).toBe(expected);
});

test("knows what it expects and what begins a window", () => {
  const { expects, startsWindow } = matcher({ expect: ["orchestrator.flow-run.F*"], after: ["x"] });
  expect([expects("prefect.flow-run.Failed"), expects("x"), startsWindow("x")]).toEqual([
    true,
    false,
    true,
  ]);
  expect(matcher({}).expects("anything")).toBe(true);
});

test("gives up on patterns that would take too long", () => {
  const match = { text: [`*?${"a".repeat(997)}b`, "!b*"] };
  const resource = { ...EVENT.resource, text: "a".repeat(1_000_000) };
  expect(matcher({ match }).findMismatch({ ...EVENT, resource }) === null).toBe(false);
});

test("finds no value for a label that is only named like something every object has", () => {
  const for_each = ["constructor", "related:flow:toString"];
  expect(matcher({ for_each }).labelsOf(EVENT)).toEqual({
    ["constructor"]: "",
    "related:flow:toString": "",
  });
});

test("tells events apart by labels, also those of related resources", () => {
  const for_each = ["related:tag:prefect.resource.id", "colour", "missing"];
  expect(matcher({ for_each }).labelsOf(EVENT)).toEqual({
    colour: "red",
    missing: "",
    "related:tag:prefect.resource.id": "prefect.tag.nightly",
  });
});

test.each<[string, Partial<EventTriggerRule>, unknown]>([
  [
    "a value",
    { match: { colour: ["blue", "green"] } },
    { part: "match", label: "colour", wanted: ["blue", "green"], found: "red" },
  ],
  ["a label", { match: { size: "*" } }, { part: "match", label: "size", found: null }],
  [
    "the related resource that comes closest",
    {
      match_related: {
        "orchestrator.resource.role": "tag",
        "orchestrator.resource.id": "orchestrator.tag.us",
      },
    },
    { part: "match_related", label: "prefect.resource.id", found: "prefect.tag.nightly" },
  ],
])("tells %s that is not as wanted", (_what, given, expected) => {
  expect(matcher(given).findMismatch(EVENT)).toMatchObject(expected as object);
});
