import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";
import { isUnderTestRunner } from "./under-test-runner.ts";

const NODE = ["/usr/bin/node", "/work/run.mjs"];

test.each([
  ["vitest", { VITEST: "true" }],
  ["jest", { JEST_WORKER_ID: "1" }],
  ["node:test", { NODE_TEST_CONTEXT: "child-v8" }],
  ["parallel mocha", { MOCHA_WORKER_ID: "0" }],
])("a test of %s is known by its environment", (_, env) => {
  expect(isUnderTestRunner(env, NODE)).toBe(true);
});

test("mocha is known by its program, and any other program is no test runner", () => {
  expect(isUnderTestRunner({}, ["node", "/app/node_modules/mocha/bin/mocha.js"])).toBe(true);
  expect(isUnderTestRunner({ NODE_ENV: "test" }, NODE)).toBe(false);
});

test("runs are reported unless a test runner or the setting says otherwise", () => {
  expect(readSettings({}).isReporting).toBe(true);
  expect(readSettings({ VITEST: "true" }).isReporting).toBe(false);
  expect(readSettings({ VITEST: "true", ORCHESTRATOR_REPORT: "true" }).isReporting).toBe(true);
  expect(readSettings({ ORCHESTRATOR_REPORT: "false" }).isReporting).toBe(false);
  expect(() => readSettings({ ORCHESTRATOR_REPORT: "yes" })).toThrow(
    'ORCHESTRATOR_REPORT must be true or false, and is "yes"',
  );
});
