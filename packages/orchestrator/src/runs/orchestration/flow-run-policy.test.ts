import { readdirSync } from "node:fs";
import type { StateType } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { flowRun, OTHER_ID } from "../../testing/rule-tests.ts";
import { applyRules, type RulesOutcome } from "./apply-rules.ts";
import {
  FLOW_RUN_POLICY,
  LATE_POLICY,
  MINIMAL_FLOW_RUN_POLICY,
  OVERDUE_POLICY,
} from "./flow-run-policy.ts";
import { draftPolicy } from "./flow-run-transition.ts";
import type { RunState } from "./run-state.ts";

const names = (rules: readonly { readonly name: string }[]) => rules.map(({ name }) => name);

/** Rules that only special policies have. */
const SPECIAL = ["answer-forced-again", "cancel-late", "fence-forced-claimant", "keep-result"];
const NO_RULES = ["client-features"];

test("a proposal of a client goes through these rules in this order", () => {
  expect(names(FLOW_RUN_POLICY)).toEqual([
    "keep-lease",
    "answer-repeated-transition",
    "answer-earlier-transition",
    "guard-terminal",
    "guard-cancelling",
    "cancel-without-infrastructure",
    "guard-pending",
    "fence-late-claimant",
    "respect-overlap",
    "begin-claim",
    "take-place",
    "acquire-slot",
    "guard-late",
    "pause",
    "resume",
    "suspend",
    "copy-scheduled-time",
    "wait-for-schedule",
    "hold-slot",
    "retry",
    "recover",
    "release-slot",
  ]);
});

/**
 * Takes a run of its own through proposals of one claimant, and tells what it was answered each
 * time.
 */
async function live(
  claim_id: string | null,
  proposals: readonly (readonly [StateType, string?])[],
) {
  const policy = draftPolicy({ retries: 1 });
  const answers: string[] = [];
  let initial: RunState = flowRun({ from: null, to: "SCHEDULED" }).proposed;
  let claim: string | null = null;
  for (const [to, name] of proposals) {
    const given = { claim_id: claim === null ? null : (claim_id ?? claim) };
    const proposed = { ...(name && { name }), state_details: given };
    const made = flowRun({ from: initial.type, to, proposed, run: { deployment_id: null } });
    const outcome: RulesOutcome = await applyRules(FLOW_RUN_POLICY, { ...made, policy, initial });
    await outcome.windUp();
    answers.push(outcome.status);
    initial = outcome.state ?? initial;
    claim ??= initial.state_details.claim_id;
  }
  return answers;
}

const LIFE = [
  ["PENDING"],
  ["PENDING", "Submitting"],
  ["RUNNING"],
  ["PAUSED"],
  ["RUNNING"],
  ["FAILED"],
  ["RUNNING"],
  ["CANCELLING"],
  ["CANCELLED"],
] as const;

test("who holds the claim of a run goes with it through pauses, retries and cancelling", async () => {
  expect(await live(null, LIFE)).toEqual(
    LIFE.map(([type]) => (type === "FAILED" ? "REJECT" : "ACCEPT")),
  );
});

test("who holds another claim has no say in any of that", async () => {
  const [, ...later] = await live(OTHER_ID, LIFE);
  expect(new Set(later)).toEqual(new Set(["ABORT"]));
});

test("what is forced goes through the few that keep leases, fence off earlier claims, keep results, cancel and free slots", () => {
  expect(names(MINIMAL_FLOW_RUN_POLICY)).toEqual([
    "keep-lease",
    "answer-forced-again",
    "fence-forced-claimant",
    "keep-result",
    "cancel-without-infrastructure",
    "release-slot",
  ]);
});

test("what is overdue goes through the same few, and is recovered where it crashes", () => {
  expect(names(OVERDUE_POLICY)).toEqual([
    "keep-lease",
    "keep-result",
    "cancel-without-infrastructure",
    "recover",
    "release-slot",
  ]);
});

test("a run becomes late by rules of its own", () => {
  expect(names(LATE_POLICY)).toEqual(["guard-late", "cancel-late"]);
});

test("every rule of the folder is part of the policy, or known to be special", () => {
  const files = ["run-rules", "flow-run-rules"]
    .flatMap((folder) => readdirSync(new URL(folder, import.meta.url)))
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => file.replace(/\.ts$/, ""));
  expect(files.sort()).toEqual([...names(FLOW_RUN_POLICY), ...SPECIAL, ...NO_RULES].sort());
});

test("every rule has a test", () => {
  const files = readdirSync(new URL("flow-run-rules", import.meta.url));
  const rules = files.filter((file) => !file.endsWith(".test.ts"));
  const tests = files.filter((file) => file.endsWith(".test.ts"));
  expect(tests).toEqual(rules.map((file) => file.replace(/\.ts$/, ".test.ts")).sort());
});
