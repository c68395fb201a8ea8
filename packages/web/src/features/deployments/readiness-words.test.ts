import { expect, test } from "vitest";
import { shortly } from "../../lib/time.ts";
import { whyNotReady } from "./readiness-words.ts";

const POLLED = "2026-11-17T09:00:00.000000Z";
const deployment = {
  paused: false,
  status: "NOT_READY",
  work_pool_name: "west",
  last_polled: null,
} as const;

test("a deployment that is not ready says whom it waits for, and since when", () => {
  expect(whyNotReady(deployment)).toBe("No worker has polled the work pool west yet");
  expect(whyNotReady({ ...deployment, last_polled: POLLED })).toBe(
    `No worker has polled the work pool west since ${shortly(POLLED)}`,
  );
  expect(whyNotReady({ ...deployment, work_pool_name: null })).toBe(
    "No work pool, and no process has served it yet",
  );
  expect(whyNotReady({ ...deployment, work_pool_name: null, last_polled: POLLED })).toBe(
    `No work pool, and no process has served it since ${shortly(POLLED)}`,
  );
});

test("one that is ready or paused has nothing to explain", () => {
  expect(whyNotReady({ ...deployment, status: "READY" })).toBeUndefined();
  expect(whyNotReady({ ...deployment, paused: true })).toBeUndefined();
});
