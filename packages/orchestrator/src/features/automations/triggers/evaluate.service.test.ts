import { expect, test } from "vitest";
import { Catalogue } from "./catalogue.rules.ts";
import { eventsAtOnce } from "./evaluate.service.ts";

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
  ["that nobody waits for", "y", 60, 200],
  ["that one automation waits for", "x", 1, 200],
  ["that 60 automations wait for", "x", 60, 3],
  ["that more automations wait for than fit", "x", 1000, 1],
])("takes as many events into one transaction as it has room for: %s", (_, name, many, taken) => {
  const events = Array.from({ length: 200 }, () => ({ workspace_id: "w", event: "x" }));
  const catalogue = watching(name, many);
  expect(eventsAtOnce({ latest: () => catalogue }, events)).toBe(taken);
});
