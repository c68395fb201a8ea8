import { expect, test } from "vitest";
import { changedFields } from "./trigger-changes.ts";

/** As the server completes it. */
const STORED = {
  name: "repair",
  description: "",
  enabled: true,
  tags: [],
  trigger: {
    type: "compound",
    id: "1",
    require: "any",
    within: null,
    triggers: [
      {
        type: "event",
        id: "2",
        match: { a: "x", b: ["y", "z"] },
        match_related: {},
        after: ["c"],
        expect: ["a", "b"],
        for_each: [],
        posture: "Proactive",
        threshold: 1,
        within: 10,
      },
    ],
  },
  actions: [
    {
      type: "run-deployment",
      source: "selected",
      deployment_id: "3",
      parameters: { n: [1, 2] },
      job_variables: null,
      schedule_after: 0,
    },
  ],
  actions_on_trigger: [],
  actions_on_resolve: [],
};

const EVENT = {
  type: "event",
  posture: "Proactive",
  match: { a: "x", b: ["y", "z"] },
  after: ["c"],
  expect: ["a", "b", "a"],
};
const RUN = { type: "run-deployment", deployment_id: "3", parameters: { n: [1, 2] } };
const file = ({ event = {}, run = {}, about = {} }) => ({
  name: "repair",
  trigger: { type: "compound", require: "any", triggers: [{ ...EVENT, ...event }] },
  actions: [{ ...RUN, ...run }],
  ...about,
});

test("what the server fills in is no change", () => {
  expect(changedFields(STORED, file({}))).toEqual([]);
  expect(changedFields(STORED, file({ about: { description: null } }))).toEqual([]);
});

test.each([
  ["a shorter list of events", { event: { expect: ["a"] } }, "trigger"],
  ["a label that is gone", { event: { match: { a: "x" } } }, "trigger"],
  ["a pattern that is gone", { event: { match: { a: "x", b: ["y"] } } }, "trigger"],
  ["no labels", { event: { match: undefined } }, "trigger"],
  ["no earlier events", { event: { after: undefined } }, "trigger"],
  ["a threshold", { event: { threshold: 2 } }, "trigger"],
  ["a shorter parameter", { run: { parameters: { n: [1] } } }, "actions"],
  ["no parameters", { run: { parameters: undefined } }, "actions"],
  ["a tag", { about: { tags: ["t"] } }, "tags"],
])("%s is a change", (_, different, field) => {
  expect(changedFields(STORED, file(different))).toEqual([field]);
});

test.each([
  [{ enabled: false }, "enabled"],
  [{ description: "old" }, "description"],
  [{ tags: ["t"] }, "tags"],
  [{ actions_on_resolve: [{ type: "do-nothing" }] }, "actions_on_resolve"],
])("what the file no longer says of %j is a change", (stored, field) => {
  expect(changedFields({ ...STORED, ...stored }, file({}))).toEqual([field]);
});
