import type { PageState, ShownState } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { pageState, shownState } from "./page-view.rules.ts";

const CASES: readonly (readonly [readonly ShownState[], PageState])[] = [
  [[], "unknown"],
  [["unknown", "paused"], "unknown"],
  [["up", "unknown", "paused"], "operational"],
  [["up", "maintenance"], "maintenance"],
  [["up", "degraded", "maintenance"], "degraded"],
  [["up", "degraded", "down"], "partial_outage"],
  [["down", "maintenance"], "partial_outage"],
  [["down", "paused", "unknown"], "major_outage"],
];

test.each(CASES)("a page with monitors that are %j is %s", (states, expected) => {
  expect(pageState(states, [])).toBe(expected);
});

test("what is reported counts until it is resolved, and never makes anything better", () => {
  const report = (impact: "none" | "degraded" | "down", state: "identified" | "resolved") => [
    { impact, state },
  ];
  expect(pageState(["up"], report("none", "identified"))).toBe("operational");
  expect(pageState(["up"], report("degraded", "identified"))).toBe("degraded");
  expect(pageState(["up"], report("down", "identified"))).toBe("partial_outage");
  expect(pageState(["up"], report("down", "resolved"))).toBe("operational");
  expect(pageState(["down"], report("none", "identified"))).toBe("major_outage");
});

test("a monitor is what was confirmed, as long as somebody looks at it", () => {
  const minute = 60_000_000;
  const holding = { status: "down", since: 0, countedUntil: 0, validUntil: minute } as const;
  const monitor = { enabled: true, confirmed: "up", holding, isMaintained: false } as const;
  expect(shownState(monitor, 0)).toBe("up");
  expect(shownState(monitor, 5 * minute)).toBe("up");
  expect(shownState(monitor, 6 * minute)).toBe("unknown");
  expect(shownState({ ...monitor, confirmed: null }, 0)).toBe("unknown");
  expect(shownState({ ...monitor, holding: null }, 0)).toBe("unknown");
  expect(shownState({ ...monitor, isMaintained: true }, 0)).toBe("maintenance");
  expect(shownState({ ...monitor, enabled: false, isMaintained: true }, 0)).toBe("paused");
});
