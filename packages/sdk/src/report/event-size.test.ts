import type { Event } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { newId } from "../ids.ts";
import { sizeOfEvent } from "./event-size.ts";

const event = (more: Partial<Event>): Event => ({
  id: newId(),
  occurred: "2026-01-01T00:00:00Z",
  event: "orchestrator.task-run.Pending",
  resource: {},
  ...more,
});

test.each([
  ["one task", 1],
  ["the tasks of a map", 1000],
])("an event is as large as what its task run depends on: %s", (_, count) => {
  const inputs = Array.from({ length: count }, () => ({ input_type: "task_run", id: newId() }));
  const large = event({ payload: { task_run: { task_inputs: { 0: inputs, wait_for: inputs } } } });
  const none = event({ payload: { task_run: {} } });
  const [more, bytes] = [large, none].map(sizeOfEvent);
  const counted = (more ?? 0) - (bytes ?? 0);
  expect(counted / JSON.stringify(inputs).length / 2).toBeCloseTo(1, 1);
});

test("an event without a payload has a size", () => {
  expect(sizeOfEvent(event({ payload: null }))).toBeGreaterThan(0);
});

test("an event of the author's own is as large as what it says", () => {
  const size = sizeOfEvent(event({ payload: { text: "x".repeat(100_000) } }));
  expect(size).toBeGreaterThan(100_000);
});
