import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import {
  BACKGROUND_TASK_POLICY,
  MINIMAL_TASK_RUN_POLICY,
  TASK_RUN_POLICY,
} from "./task-run-policy.ts";

const names = (rules: readonly { readonly name: string }[]) => rules.map(({ name }) => name);

/** Rules that only tasks in the background have. */
const SPECIAL = ["answer-forced-again", "copy-parameters-id", "guard-pending"];

test("a proposal of a client goes through these rules in this order", () => {
  expect(names(TASK_RUN_POLICY)).toEqual([
    "answer-repeated-transition",
    "answer-earlier-transition",
    "read-cache",
    "guard-terminal",
    "check-parent",
    "take-tag-slots",
    "copy-scheduled-time",
    "wait-for-schedule",
    "retry",
    "rename-rerun",
    "count-flow-run",
    "write-cache",
    "release-tag-slots",
  ]);
});

test("what is forced is done once, and frees slots", () => {
  expect(names(MINIMAL_TASK_RUN_POLICY)).toEqual(["answer-forced-again", "release-tag-slots"]);
});

test("tasks in the background go through these rules in this order", () => {
  expect(names(BACKGROUND_TASK_POLICY)).toEqual([
    "answer-repeated-transition",
    "answer-earlier-transition",
    "guard-pending",
    "read-cache",
    "guard-terminal",
    "copy-scheduled-time",
    "copy-parameters-id",
    "wait-for-schedule",
    "retry",
    "rename-rerun",
    "count-flow-run",
    "write-cache",
    "release-tag-slots",
  ]);
});

test("every rule of the folder is part of the policy, or known to be special", () => {
  const files = ["run-rules", "task-run-rules"]
    .flatMap((folder) => readdirSync(new URL(folder, import.meta.url)))
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => file.replace(/\.ts$/, ""));
  // Taking and giving back the slots of tags is one idea in one file.
  const ruleFiles = names(TASK_RUN_POLICY).map((name) =>
    name.replace(/^(take|release)-tag/, "hold-tag"),
  );
  expect(files.sort()).toEqual([...new Set([...ruleFiles, ...SPECIAL])].sort());
});

test("every rule has a test", () => {
  const files = readdirSync(new URL("task-run-rules", import.meta.url));
  const rules = files.filter((file) => !file.endsWith(".test.ts"));
  const tests = files.filter((file) => file.endsWith(".test.ts"));
  expect(tests).toEqual(rules.map((file) => file.replace(/\.ts$/, ".test.ts")).sort());
});
