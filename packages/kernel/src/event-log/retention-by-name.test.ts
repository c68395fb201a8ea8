import { expect, test } from "vitest";
import { readRetention, spansByName } from "./retention-by-name.ts";

const HOUR_MS = 3_600_000;

test.each([
  ["order.paid=90d", ["order.paid=90d"]],
  [" order.* = 36h ,door=60", undefined],
  ["order.*=36h, door=60", ["order.*=36h", "door=1m"]],
  ["prefect.flow-run.heartbeat=1d", ["prefect.flow-run.heartbeat=1d"]],
  ["", undefined],
  ["order", undefined],
  ["*=1d", undefined],
  ["a*b=1d", undefined],
  ["order=soon", undefined],
  ["order=1s", undefined],
  ["order=4000d", undefined],
  ["order=1d,", undefined],
  [Array.from({ length: 101 }, (_, n) => `n${n}=1d`).join(","), undefined],
])("the spans %j are read as %j", (given, expected) => {
  expect(spansByName.parse(given, {})).toEqual(expected);
});

test("the longest name or beginning that fits decides how long an event is kept", () => {
  const byName = ["a.*=2h", "a.b*=3h", "a.b=4h", "orchestrator.x=5h"];
  const { keepMsOf, spans } = readRetention({ keepMs: HOUR_MS, byName });
  const hours = (name: string): number => keepMsOf(name) / HOUR_MS;
  expect(["", "a", "a.", "a.c", "a.bc", "a.b", "b.a.b"].map(hours)).toEqual([1, 1, 2, 2, 3, 4, 1]);
  expect(["prefect.x", "orchestrator.x", "prefect.xy", "x"].map(hours)).toEqual([5, 5, 1, 1]);
  expect(spans.toSorted((a, b) => a - b).map((span) => span / HOUR_MS)).toEqual([1, 2, 3, 4, 5]);
});
