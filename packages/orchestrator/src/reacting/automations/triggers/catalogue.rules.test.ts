import { expect, test } from "vitest";
import { Catalogue, type LiveAutomation } from "./catalogue.rules.ts";
import type { EventTriggerRule } from "./triggers.rules.ts";

function automation(id: string, expected: readonly string[], after: string[] = []): LiveAutomation {
  const trigger: EventTriggerRule = {
    type: "event",
    id: `trigger ${id}`,
    match: {},
    match_related: {},
    after,
    expect: expected,
    for_each: [],
    posture: "Reactive",
    threshold: 1,
    within: 0,
  };
  const rest = { name: id, description: "", tags: [], actions: [], actionsOnTrigger: [] };
  return { id, workspaceId: "w", trigger, ...rest };
}

const found = (catalogue: Catalogue, name: string, workspace = "w"): string =>
  catalogue
    .candidates(workspace, name)
    .map(({ automation: { id } }) => id)
    .sort()
    .join("");

test("finds the triggers that an event may concern, by name and by pattern", () => {
  const catalogue = new Catalogue();
  catalogue.set(automation("a", ["x.one"]));
  catalogue.set(automation("b", ["x.*", "x.o*"]));
  catalogue.set(automation("c", []));
  catalogue.set(automation("d", ["*.two"]));
  catalogue.set(automation("e", ["y"], ["x.two"]));
  catalogue.set(automation("f", ["orchestrator.flow.*"]));
  expect(found(catalogue, "x.one")).toBe("abc");
  expect(found(catalogue, "x.two")).toBe("bcde");
  expect(found(catalogue, "prefect.flow.created")).toBe("cf");
  expect(found(catalogue, "prefect.log.write")).toBe("");
  expect(found(catalogue, "x.one", "other")).toBe("");
});

test("forgets what is removed, and what was there before a change", () => {
  const catalogue = new Catalogue();
  catalogue.set(automation("a", ["x.*", "y"]));
  catalogue.set(automation("a", ["z"]));
  expect([found(catalogue, "x.1"), found(catalogue, "y"), found(catalogue, "z")]).toEqual([
    "",
    "",
    "a",
  ]);
  catalogue.remove("a");
  expect([found(catalogue, "z"), catalogue.size, catalogue.leaf("trigger a")]).toEqual([
    "",
    0,
    undefined,
  ]);
});
