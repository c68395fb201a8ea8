import type { LogFilter } from "@orchestrator/contract";
import type { Static } from "typebox";
import { expect, test } from "vitest";
import { logMatcher } from "./log-match.rules.ts";

const line = {
  name: "flow.etl",
  level: 30,
  message: "Connection lost",
  timestamp: "2026-03-01T10:00:00.000000Z",
  flow_run_id: "f1",
  task_run_id: null,
};

type Filter = Static<typeof LogFilter> & { readonly operator?: "and_" | "or_" };

test.each<[Filter, boolean]>([
  [{}, true],
  [{ level: null, text: null }, true],
  [{ level: { ge_: 30, le_: 30 } }, true],
  [{ level: { ge_: 31 } }, false],
  [{ level: { le_: 29 } }, false],
  [{ timestamp: { after_: line.timestamp, before_: line.timestamp } }, true],
  [{ timestamp: { after_: "2026-03-01T10:00:00.000001Z" } }, false],
  [{ flow_run_id: { any_: ["f0", "f1"] } }, true],
  [{ flow_run_id: { any_: [] } }, false],
  [{ flow_run_id: {} }, true],
  [{ task_run_id: { is_null_: true } }, true],
  [{ task_run_id: { is_null_: false } }, false],
  [{ task_run_id: { any_: ["t"] } }, false],
  [{ text: { query: "LOST" } }, true],
  [{ text: { query: "etl" } }, true],
  [{ text: { query: "lost -connection" } }, false],
  [{ level: { ge_: 40 }, flow_run_id: { any_: ["f1"] } }, false],
  [{ operator: "or_", level: { ge_: 40 }, flow_run_id: { any_: ["f1"] } }, true],
  [{ operator: "or_", level: { ge_: 40 }, flow_run_id: null }, false],
  [{ operator: "or_", level: { ge_: 40 }, flow_run_id: {} }, true],
])("a line for the filter %j: %s", (filter, expected) => {
  expect(logMatcher(filter)(line)).toBe(expected);
});
