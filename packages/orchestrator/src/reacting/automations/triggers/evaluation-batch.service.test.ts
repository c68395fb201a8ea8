import { expect, test } from "vitest";
import { Catalogue } from "./catalogue.rules.ts";
import { ExhaustedRoots } from "./chain-budgets.rules.ts";
import { eventsAtOnce } from "./evaluation-batch.service.ts";

function watching(name: string, many: number): Catalogue {
  const catalogue = new Catalogue();
  for (let n = 0; n < many; n += 1)
    catalogue.set({
      id: `automation ${n}`,
      workspaceId: "w",
      name: "watch",
      description: "",
      tags: [],
      actions: [],
      actionsOnTrigger: [],
      trigger: {
        type: "event",
        id: `trigger ${n}`,
        match: {},
        match_related: {},
        after: [],
        expect: [name],
        for_each: [],
        posture: "Reactive",
        threshold: 1,
        within: 0,
      },
    });
  return catalogue;
}

test.each([
  ["that no automation waits for", "y", 60, 200],
  ["that one automation waits for", "x", 1, 200],
  ["that 60 automations wait for", "x", 60, 3],
  ["that more automations wait for than fit", "x", 1000, 1],
])("takes as many events into one transaction as it has room for: %s", (_, name, many, taken) => {
  const event = {
    id: "e",
    workspace_id: "w",
    event: "x",
    resource_id: "r",
    position: 1,
    body: "{}",
  };
  const now = "2026-11-14T09:00:00.000000Z";
  const events = Array.from({ length: 200 }, () => ({ ...event, occurred: now, received: now }));
  const catalogue = watching(name, many);
  const live = { latest: () => catalogue };
  expect(eventsAtOnce({ live, exhausted: new ExhaustedRoots() }, events)).toBe(taken);
});

test("takes the events of an exhausted chain all at once, however many automations listen to them", () => {
  const now = "2026-11-14T09:00:00.000000Z";
  const name = "prefect.automation.triggered";
  const [workspace_id, root] = ["w", "01990000-0000-7000-8000-000000000001"];
  const body = JSON.stringify({ resource: {}, payload: { chain_root: root } });
  const events = Array.from({ length: 200 }, (_, position) => ({
    id: `e${position}`,
    workspace_id,
    event: name,
    resource_id: "r",
    position,
    body,
    occurred: now,
    received: now,
  }));
  const catalogue = watching(name, 300);
  const live = { latest: () => catalogue };
  const exhausted = new ExhaustedRoots();
  expect(eventsAtOnce({ live, exhausted }, events)).toBe(1);
  exhausted.add(workspace_id, { depth: 2, root });
  expect(eventsAtOnce({ live, exhausted }, events)).toBe(200);
});
