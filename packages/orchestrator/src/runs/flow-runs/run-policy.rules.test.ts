import { expect, test } from "vitest";
import { changedPolicy, fullPolicy } from "./run-policy.rules.ts";

test("a policy has every key, and older names fill what the newer ones leave open", () => {
  expect(fullPolicy(null)).toEqual({
    max_retries: 0,
    retry_delay_seconds: 0,
    retries: null,
    retry_delay: null,
    pause_keys: [],
    resuming: false,
    retry_type: null,
  });
  expect(fullPolicy({ max_retries: 2, retry_delay_seconds: 1.6 })).toMatchObject({
    retries: 2,
    retry_delay: 2,
  });
  expect(fullPolicy({ max_retries: 2, retries: 0 })).toMatchObject({ retries: 0 });
});

test.each([
  [null, "in_process", null],
  [null, "reschedule", "reschedule"],
  ["reschedule", "in_process", null],
  ["reschedule", null, null],
  ["in_process", null, "in_process"],
  ["in_process", "reschedule", "in_process"],
] as const)(
  "of a run tried again %s, a client that says %s makes it %s",
  (before, given, after) => {
    expect(fullPolicy({ retry_type: given }).retry_type).not.toBe("in_process");
    const changed = changedPolicy(fullPolicy({}), { retry_type: given });
    expect(changed.retry_type).not.toBe("in_process");
    expect(changedPolicy({ retry_type: before }, { retry_type: given }).retry_type).toBe(after);
  },
);
