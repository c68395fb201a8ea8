import { expect, test } from "vitest";
import { firingContext } from "./template-context.rules.ts";

const ROLES = ["flow", "constructor", "toString", "__proto__", "flow"];

test("related resources are found by any role, also one that every object has", () => {
  const related = ROLES.map((role, n) => ({
    "prefect.resource.id": `x.${n}`,
    "prefect.resource.role": role,
  }));
  const { event } = firingContext({
    id: "f",
    automation: { id: "a", name: "a", description: "", tags: [] },
    trigger: { id: "t", type: "event", posture: "Reactive" },
    triggered: "2026-11-14T09:00:00.000000Z",
    triggering_labels: JSON.parse('{"__proto__": "p", "constructor": "c"}'),
    triggered_event_id: "e",
    event: {
      id: "e",
      occurred: "2026-11-14T09:00:00.000000Z",
      event: "order",
      resource: JSON.parse('{"prefect.resource.id": "x", "__proto__": "p"}'),
      related,
      payload: {},
    },
    firings: [],
  }) as {
    readonly event: {
      readonly resource: { readonly labels: object };
      readonly resource_in_role: object;
      readonly resources_in_role: object;
    };
  };
  const first = Object.entries(event.resource_in_role).map(([role, { id }]) => [role, id]);
  expect(first).toEqual([
    ["flow", "x.0"],
    ["constructor", "x.1"],
    ["toString", "x.2"],
    ["__proto__", "x.3"],
  ]);
  const all = Object.entries(event.resources_in_role).map(([, list]) => list.length);
  expect(all).toEqual([2, 1, 1, 1]);
  expect(Object.entries(event.resource.labels)).toContainEqual(["__proto__", "p"]);
});
