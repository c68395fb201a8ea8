import { expect, test } from "vitest";
import { canonical, canonicalPattern, namePattern, newNameEffort } from "./names.rules.ts";

const fitsName = (pattern: string, name: string): boolean =>
  namePattern(pattern).fits(name, newNameEffort());

test.each([
  ["a.b", ["a.b"], ["a.c", "a.b.c", "A.b"]],
  ["a.*", ["a.b", "a.b.c"], ["a.", "a", "b.a.c"]],
  ["*", ["x"], [""]],
  ["a.?", ["a.b"], ["a.", "a.bc"]],
  ["a.[bc]d", ["a.bd", "a.cd"], ["a.dd", "a.d"]],
  ["a.[!b-d]", ["a.e"], ["a.b", "a.c", "a.d"]],
  ["a[", ["a["], ["a"]],
  ["a[]]", ["a]"], ["a["]],
  ["*.run.*", ["x.run.y", "x.run.run.y"], ["x.run.", ".run.y"]],
  ["orchestrator.flow-run.*", ["prefect.flow-run.Failed"], ["prefect.flow.Failed"]],
])("the pattern %s fits the right names", (pattern, good, bad) => {
  expect(good.filter((name) => !fitsName(pattern, name))).toEqual([]);
  expect(bad.filter((name) => fitsName(pattern, name))).toEqual([]);
});

test("a pattern knows what every name begins with", () => {
  expect(namePattern("a.b")).toMatchObject({ start: "a.b", isExact: true });
  expect(namePattern("a.b*c")).toMatchObject({ start: "a.b", isExact: false });
  expect(namePattern("*")).toMatchObject({ start: "", isExact: false });
});

test("many stars take no longer than few", () => {
  expect(fitsName(`${"*a".repeat(200)}b`, "a".repeat(1024))).toBe(false);
});

test("all patterns of a trigger share the steps that one name may take", () => {
  const effort = newNameEffort();
  const { steps } = effort;
  const { fits } = namePattern(`*${"a".repeat(500)}b`);
  for (let i = 0; i < 400; i += 1) expect(fits("a".repeat(1024), effort)).toBe(false);
  expect(steps - effort.steps).toBeLessThan(steps + 500);
  expect(namePattern("*").fits("x", effort)).toBe(false);
});

test("both prefixes have one form, also behind a negation", () => {
  expect(canonical("orchestrator.flow.x")).toBe("prefect.flow.x");
  expect(canonical("prefect.flow.x")).toBe("prefect.flow.x");
  expect(canonical("order.shipped")).toBe("order.shipped");
  expect(canonicalPattern("!orchestrator.flow.x")).toBe("!prefect.flow.x");
});
