import { expect, test } from "vitest";
import { automationsOf, automationsValue, triggersValue } from "./file-triggers.ts";

test("a trigger of a deployment starts its runs", () => {
  const triggers = triggersValue([{ expect: ["a"], parameters: { n: 1 } }, { name: "b" }], "t");
  expect(automationsOf("report/nightly", triggers)).toEqual([
    {
      name: "report/nightly: 1",
      fields: {
        name: "report/nightly: 1",
        trigger: { type: "event", posture: "Reactive", expect: ["a"] },
        actions: [{ type: "run-deployment", deployment: "report/nightly", parameters: { n: 1 } }],
      },
    },
    expect.objectContaining({ name: "report/nightly: b" }),
  ]);
});

test.each([
  [[{ trigger: {} }], "t[0] needs a name"],
  [[{ name: "a" }], "t[0].trigger must hold names and values"],
  [[{ name: "a", trigger: {}, on: 1 }], "unknown key on"],
  [["a", "b"].map(() => ({ name: "a", trigger: {} })), "two triggers named a"],
])("refuses the automations %j", (value, problem) => {
  expect(() => automationsValue(value, "t")).toThrow(problem);
});

test("refuses an unknown key of a trigger, and two of one name", () => {
  expect(() => triggersValue([{ expects: [] }], "t")).toThrow("unknown key expects");
  expect(() => automationsOf("a/b", [{ name: "x" }, { name: "x" }])).toThrow("two triggers named");
});
