import { expect, test } from "vitest";
import {
  lesserLimits,
  NO_LIMITS,
  QUOTAS_OF,
  quotasOfOperation,
  remainingOf,
  usedUp,
  usedUpMessage,
} from "./quotas.rules.ts";

test("of two limits the lesser counts, and none is no limit", () => {
  const own = { ...NO_LIMITS, runs_per_day: 10, events_per_day: 5 };
  const ceiling = { ...NO_LIMITS, runs_per_day: 3, storage_bytes: 7 };
  expect(lesserLimits(own, ceiling)).toEqual({
    runs_per_day: 3,
    events_per_day: 5,
    runs_stored: null,
    storage_bytes: 7,
  });
});

test("what was never measured is not used up", () => {
  const limits = { ...NO_LIMITS, runs_stored: 1, runs_per_day: 2 };
  expect(usedUp(limits, { ...NO_LIMITS, runs_per_day: 1 }, ["runs_per_day", "runs_stored"])).toBe(
    null,
  );
  expect(usedUp(limits, { ...NO_LIMITS, runs_stored: 1 }, ["runs_per_day", "runs_stored"])).toBe(
    "runs_stored",
  );
});

test.each([
  [{}, {}, Number.POSITIVE_INFINITY],
  [{ runs_per_day: 5 }, { runs_per_day: 2 }, 3],
  [{ runs_per_day: 5, runs_stored: 1 }, { runs_per_day: 2, runs_stored: 9 }, 0],
  [{ storage_bytes: 100 }, { storage_bytes: 99 }, Number.POSITIVE_INFINITY],
  [{ storage_bytes: 100 }, { storage_bytes: 100 }, 0],
])("of %j with %j used so many runs are left: %d", (limits, used, left) => {
  const all = [
    { ...NO_LIMITS, ...limits },
    { ...NO_LIMITS, ...used },
  ] as const;
  expect(remainingOf(...all, QUOTAS_OF.runs)).toBe(left);
});

test.each([
  ["POST", "/api/flow_runs/", "runs_per_day"],
  ["POST", "/api/deployments/:id/create_flow_run", "runs_per_day"],
  ["POST", "/api/deployments/:id/create_flow_run/bulk", "runs_per_day"],
  ["POST", "/api/events", "events_per_day"],
  ["GET", "/api/events/in", "events_per_day"],
  ["POST", "/api/logs/", "storage_bytes"],
  ["POST", "/api/block_schemas/", "storage_bytes"],
  ["POST", "/api/v2/concurrency_limits/", "storage_bytes"],
  ["POST", "/api/work_pools/:work_pool_name/queues", "storage_bytes"],
  ["PUT", "/api/saved_searches/", "storage_bytes"],
  ["PATCH", "/api/artifacts/:id", "storage_bytes"],
  ["POST", "/uptime/api/status-pages/:id/reports/:report/updates", "storage_bytes"],
  ["PATCH", "/api/deployments/:id", undefined],
  ["POST", "/api/v2/concurrency_limits/increment", undefined],
  ["POST", "/api/flow_runs/:id/set_state", undefined],
  ["DELETE", "/api/flow_runs/:id", undefined],
  ["POST", "/api/flow_runs/filter", undefined],
])("%s %s adds to %s", (method, route, quota) => {
  expect(quotasOfOperation(method, route)[0]).toBe(quota);
});

test("a refusal says which quota, how much, when, and what to do", () => {
  const limits = { ...NO_LIMITS, storage_bytes: 100 };
  const used = { ...NO_LIMITS, storage_bytes: 120 };
  const resets = "2026-11-16T00:00:00.000000Z";
  expect(usedUpMessage("storage_bytes", limits, { used, resets })).toBe(
    "The workspace has used its quota of 100 bytes of storage (120 used). It is there again when something is deleted, which is noticed within minutes; whoever manages the account, or the server, can raise it.",
  );
});
