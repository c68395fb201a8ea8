import type { EventFilter } from "@orchestrator/contract";
import { describe, expect, test } from "vitest";
import { eventMatcher } from "./event-match.rules.ts";

const ID = "00000000-0000-4000-8000-000000000001";

const logged = {
  position: 1,
  workspace_id: "w",
  id: ID,
  occurred: "2026-01-01T10:00:00.000000Z",
  received: "2026-01-01T10:00:01.000000Z",
  event: "prefect.flow-run.Running",
  resource_id: "prefect.flow-run.1",
  body: JSON.stringify({
    resource: { "prefect.resource.id": "prefect.flow-run.1", "prefect.state-type": "RUNNING" },
    related: [
      { "prefect.resource.id": "prefect.flow.7", "prefect.resource.role": "flow", team: "core" },
      { "prefect.resource.id": "prefect.tag.x", "prefect.resource.role": "tag" },
    ],
    payload: { note: 'Lost "Connection" to db' },
  }),
};

const matches = (filter: EventFilter): boolean => eventMatcher(filter)(logged);

describe("a filter of events", () => {
  test.each<[EventFilter, boolean]>([
    [{}, true],
    [{ occurred: { since: logged.occurred, until: logged.occurred } }, true],
    [{ occurred: { since: "2026-01-01T10:00:00.000001Z" } }, false],
    [{ occurred: { until_: "2026-01-01T09:59:59.999999Z" } }, false],
    [{ occurred: { since_: "2026-01-01T09:00:00.000000Z" } }, true],
    [{ event: { prefix: ["x", "prefect.flow-run."] } }, true],
    [{ event: { prefix: [] } }, true],
    [{ event: { prefix: ["prefect.task"] } }, false],
    [{ event: { exclude_prefix: ["prefect.flow-run."] } }, false],
    [{ event: { name: ["prefect.flow-run.Running"] } }, true],
    [{ event: { name: ["prefect.flow-run"] } }, false],
    [{ event: { exclude_name: ["prefect.flow-run.Running"] } }, false],
    [{ resource: { id: ["prefect.flow-run.1"] } }, true],
    [{ resource: { id: ["prefect.flow-run"] } }, false],
    [{ resource: { id_prefix: ["prefect.flow-run"] } }, true],
    [{ resource: { labels: { "prefect.state-type": ["COMPLETED", "RUN*"] } } }, true],
    [{ resource: { labels: { "prefect.state-type": "!RUNNING" } } }, false],
    [{ resource: { labels: { "prefect.state-type": [] } } }, false],
    [{ resource: { labels: { missing: "!x" } } }, false],
    [{ resource: { labels: { constructor: "*" } } }, false],
    [{ any_resource: { labels: { toString: "!x" } } }, false],
    [{ related: {} }, true],
    [{ related: { role: ["flow"], id: ["prefect.flow.7"] } }, true],
    [{ related: { role: ["tag"], id: ["prefect.flow.7"] } }, false],
    [{ related: [{ role: ["tag"] }, { id: ["prefect.flow.7"] }] }, true],
    [{ related: { resources_in_roles: [["prefect.tag.x", "tag"]] } }, true],
    [{ related: { resources_in_roles: [["prefect.tag.x", "flow"]] } }, false],
    [{ related: { labels: { team: "co?e" } } }, true],
    [{ any_resource: { id: ["prefect.flow-run.1"] } }, true],
    [{ any_resource: { id_prefix: ["prefect.flow."] } }, true],
    [{ any_resource: [{ id: ["prefect.tag.x"] }, { id: ["nothing"] }] }, false],
    [{ any_resource: { labels: { team: "core" } } }, true],
    [{ id: { id: [ID] } }, true],
    [{ id: { id: ["00000000-0000-4000-8000-000000000002"] } }, false],
    [{ text: { query: "connection" } }, true],
    [{ text: { query: "CORE" } }, true],
    [{ text: { query: "nothing running" } }, true],
    [{ text: { query: "running -db" } }, false],
    [{ text: { query: '+core +"lost"' } }, true],
    [{ text: { query: "+core +absent" } }, false],
  ])("%j: %s", (filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });
});

describe("a pattern that takes more steps than one event is worth", () => {
  const slow = `*?${"a".repeat(997)}b`;
  const long = "a".repeat(131_072);

  test("leaves none for the other resources of the event, and all for the next event", () => {
    const resource = { "prefect.resource.id": "x", text: long };
    const related = Array.from({ length: 5 }, (_, n) => ({ ...resource, n: String(n) }));
    const event = (labels: object) => ({
      ...logged,
      body: JSON.stringify({ resource: labels, related, payload: {} }),
    });
    const fits = eventMatcher({ any_resource: { labels: { text: [slow, "*x"] } } });
    expect(fits(event(resource))).toBe(false);
    expect(fits(event({ "prefect.resource.id": "y", text: "ax" }))).toBe(true);
  });
});
