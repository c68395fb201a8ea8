import { expect, test } from "vitest";
import { consequencesOf, type EventState, publishedAfter } from "./event-consequences.rules.ts";

const standing = (more: Partial<EventState>): EventState => ({
  status: more.confirmed ?? "up",
  confirmed: "up",
  isChanged: false,
  told: "up",
  hasIncident: false,
  inMaintenance: false,
  ...more,
});

test.each<[string, Partial<EventState>, string | null, boolean]>([
  [
    "a first failure begins an incident and is news",
    { confirmed: "down", isChanged: true },
    "begins",
    true,
  ],
  [
    "the same again is nothing",
    { confirmed: "down", told: "down", hasIncident: true },
    null,
    false,
  ],
  [
    "a recovery ends it",
    { confirmed: "up", isChanged: true, told: "down", hasIncident: true },
    "ends",
    true,
  ],
  [
    "what gets worse stays one incident",
    { confirmed: "down", isChanged: true, told: "degraded", hasIncident: true },
    "worsens",
    true,
  ],
  [
    "what gets better stays one incident",
    { confirmed: "degraded", isChanged: true, told: "down", hasIncident: true },
    null,
    true,
  ],
  [
    "nothing begins within a maintenance",
    { confirmed: "down", isChanged: true, inMaintenance: true },
    null,
    false,
  ],
  [
    "nothing ends within a maintenance",
    { confirmed: "up", isChanged: true, told: "down", hasIncident: true, inMaintenance: true },
    null,
    false,
  ],
  [
    "what was left open begins with the first result after it",
    { confirmed: "down" },
    "begins",
    true,
  ],
  [
    "a result that is not confirmed changes nothing",
    { confirmed: "down", status: "up" },
    null,
    false,
  ],
  [
    "the end of what nobody was told of is no news",
    { confirmed: "up", isChanged: true, told: "up", hasIncident: true },
    "ends",
    false,
  ],
  [
    "what nobody was told of stays news while it lasts",
    { confirmed: "down", told: "up", hasIncident: true },
    "worsens",
    true,
  ],
  [
    "a new incident is told of also after the same status",
    { confirmed: "down", told: "down" },
    "begins",
    true,
  ],
])("%s", (_name, more, incident, isNews) => {
  expect(consequencesOf(standing(more))).toMatchObject({ incident, isNews });
});

test("a parent that is down silences what gets worse, never what gets better", () => {
  const silenced = (more: Partial<EventState>) => consequencesOf(standing(more)).mayBeSilenced;
  expect(silenced({ confirmed: "down", isChanged: true })).toBe(true);
  expect(
    silenced({ confirmed: "down", isChanged: true, told: "degraded", hasIncident: true }),
  ).toBe(true);
  expect(
    silenced({ confirmed: "degraded", isChanged: true, told: "down", hasIncident: true }),
  ).toBe(false);
  expect(silenced({ confirmed: "up", isChanged: true, told: "down", hasIncident: true })).toBe(
    false,
  );
});

test("the first up of all is known without an event", () => {
  expect(publishedAfter({ told: null, confirmed: "up" }, false)).toBe("up");
  expect(publishedAfter({ told: null, confirmed: "down" }, false)).toBeNull();
  expect(publishedAfter({ told: "up", confirmed: "down" }, true)).toBe("down");
});
