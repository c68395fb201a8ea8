import { expect, test } from "vitest";
import { firingContext, linksTo } from "./template-context.rules.ts";

const ROLES = ["flow", "constructor", "toString", "__proto__", "flow"];

const firing = (about: object) => ({
  id: "f",
  automation: { id: "a", name: "a", description: "", tags: [] },
  trigger: { id: "t", type: "event", posture: "Reactive" },
  triggered: "2026-11-14T09:00:00.000000Z",
  triggering_labels: {},
  triggered_event_id: "e",
  event: {
    id: "e",
    occurred: "2026-11-14T09:00:00.000000Z",
    event: "order",
    resource: {},
    related: [],
    payload: {},
    ...about,
  },
  firings: [],
});

test.each([
  [null, ""],
  ["https://runs.example.com", "https://runs.example.com"],
  ["https://runs.example.com/team/", "https://runs.example.com/team"],
])("links lead to the web UI where its address is %s", (uiUrl, base) => {
  const resource = { "prefect.resource.id": "prefect.monitor.m1" };
  const context = firingContext(firing({ resource }) as never, linksTo(uiUrl));
  expect(context).toMatchObject({
    automation: { ui_url: `${base}/automations/automation/a` },
    event: {
      ui_url: `${base}/events/event/2026-11-14/e`,
      resource: {
        ui_url: `${base}/monitors/m1`,
        ui_events_url: `${base}/events?resource=prefect.monitor.m1`,
      },
    },
  });
});

test("links name the workspace where there are several", () => {
  const place = "/accounts/1/workspaces/2";
  const link = linksTo("https://runs.example.com/", place);
  expect(firingContext(firing({}) as never, link)).toMatchObject({
    automation: { ui_url: `https://runs.example.com${place}/automations/automation/a` },
  });
});

test("resources that have no page have no link", () => {
  const resource = { "prefect.resource.id": "order.7" };
  const { event } = firingContext(firing({ resource }) as never, linksTo(null));
  expect((event as { readonly resource: object }).resource).not.toHaveProperty("ui_url");
});

test("related resources are found by any role, also one that every object has", () => {
  const related = ROLES.map((role, n) => ({
    "prefect.resource.id": `x.${n}`,
    "prefect.resource.role": role,
  }));
  const { event } = firingContext(
    {
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
    },
    linksTo(null),
  ) as {
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
