import type { StateType } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { ANY_ID, FROM_ALL, flowRun, NOW } from "../../testing/rule-tests.ts";
import { answerStatus, applyRules, orchestrationResult } from "./apply-rules.ts";
import type { FlowRunRule, FlowRunTransition } from "./flow-run-transition.ts";
import {
  ANY,
  ANY_OR_NONE,
  abort,
  change,
  only,
  type RuleVerdict,
  rejectTransition,
  replace,
} from "./rule.ts";
import { type RunState, receiveState } from "./run-state.ts";

const failure = () => flowRun({ from: "RUNNING", to: "FAILED" });

/** A rule for every transition that writes down when it was asked. */
function rule(name: string, journal: string[], say?: (seen: FlowRunTransition) => RuleVerdict) {
  return {
    name,
    from: ANY_OR_NONE,
    to: ANY,
    before: (seen) => {
      journal.push(`${name} before`);
      return say?.(seen);
    },
    after: () => void journal.push(`${name} after`),
    cleanup: () => void journal.push(`${name} cleanup`),
  } satisfies FlowRunRule;
}

async function play(rules: readonly FlowRunRule[], transition = failure()) {
  const outcome = await applyRules(rules, transition);
  await outcome.windUp();
  return outcome;
}

const scheduled = ({ ctx: { ids } }: FlowRunTransition): RunState =>
  receiveState({ type: "SCHEDULED" }, { ids, now: NOW });

test("rules are asked in order and wound up in the opposite order", async () => {
  const journal: string[] = [];
  const outcome = await play(["a", "b", "c"].map((name) => rule(name, journal)));
  expect(outcome).toMatchObject({ status: "ACCEPT", reason: null, state: { type: "FAILED" } });
  const asked = ["a before", "b before", "c before"];
  expect(journal).toEqual([...asked, "c after", "b after", "a after"]);
});

test("a rule is asked only about the transitions it is for", async () => {
  const journal: string[] = [];
  const narrow = { ...rule("a", journal), from: only("RUNNING"), to: only("FAILED") };
  for (const from of FROM_ALL) await play([narrow], flowRun({ from, to: "FAILED" }));
  await play([narrow], flowRun({ from: "RUNNING", to: "CRASHED" }));
  expect(journal).toEqual(["a before", "a after"]);
});

test("another name or other details are seen by the rules that follow, which go on", async () => {
  const journal: string[] = [];
  const rename = rule("a", journal, ({ proposed }) => change({ ...proposed, name: "TimedOut" }));
  const seen: string[] = [];
  const look = {
    ...rule("b", journal),
    before: ({ proposed }) => void seen.push(proposed.name),
  } satisfies FlowRunRule;
  expect(await play([rename, look])).toMatchObject({
    status: "ACCEPT",
    state: { name: "TimedOut" },
  });
  expect(seen).toEqual(["TimedOut"]);
  expect(journal).toEqual(["a before", "b after", "a after"]);
});

test("once another type takes the place of the proposal, later rules are skipped and earlier ones cleaned up", async () => {
  const journal: string[] = [];
  const retry = rule("b", journal, (seen) => replace(scheduled(seen), "again"));
  const outcome = await play([rule("a", journal), retry, rule("c", journal)]);
  expect(outcome).toMatchObject({
    status: "REJECT",
    reason: "again",
    state: { type: "SCHEDULED" },
  });
  // The rule that has refused does not clean up after itself.
  expect(journal).toEqual(["a before", "b before", "a cleanup"]);
});

test("a refusal writes nothing, skips the later rules and has the earlier ones cleaned up", async () => {
  const wait = { status: "WAIT", delaySeconds: 7, reason: "later" } as const;
  for (const [verdict, expected] of [
    [rejectTransition("no"), { status: "REJECT", reason: "no", delaySeconds: 0 }],
    [abort("no"), { status: "ABORT", reason: "no", delaySeconds: 0 }],
    [wait, { status: "WAIT", reason: "later", delaySeconds: 7 }],
  ] as const) {
    const journal: string[] = [];
    const refuse = rule("b", journal, () => verdict);
    const outcome = await play([rule("a", journal), refuse, rule("c", journal)]);
    expect(outcome).toMatchObject({ ...expected, state: null });
    expect(journal).toEqual(["a before", "b before", "a cleanup"]);
  }
});

test("a state of the same type in the place of the proposal is as good as the proposal to earlier rules", async () => {
  const journal: string[] = [];
  const same = rule("b", journal, ({ proposed }) => replace(proposed, "with a remark"));
  const outcome = await play([rule("a", journal), same]);
  expect(outcome).toMatchObject({ status: "REJECT", state: { type: "FAILED" } });
  expect(journal).toEqual(["a before", "b before", "a after"]);
});

test("what follows from a written state is told of the one that was written, also after a skip", async () => {
  const journal: string[] = [];
  const tell = (name: string, to: StateType): FlowRunRule => ({
    name,
    from: ANY,
    to: only(to),
    written: ({ proposed }, committed) =>
      void journal.push(`${name}: ${proposed.type} became ${committed.type}`),
  });
  const retry = rule("retry", [], (seen) => replace(scheduled(seen), "again"));
  const refuse = rule("refuse", [], () => rejectTransition("no"));
  const followers = [tell("failed", "FAILED"), tell("scheduled", "SCHEDULED")];
  await play([retry, ...followers]);
  await play([refuse, ...followers]);
  await play(followers);
  expect(journal).toEqual(["scheduled: FAILED became SCHEDULED", "failed: FAILED became FAILED"]);
});

test("what takes the place of a proposal carries its transition id, so that the request can be sent again", async () => {
  const retry = rule("retry", [], (seen) => replace(scheduled(seen), "again"));
  const proposed = { state_details: { transition_id: ANY_ID } };
  const { state } = await play([retry], flowRun({ from: "RUNNING", to: "FAILED", proposed }));
  expect(state?.state_details.transition_id).toBe(ANY_ID);
});

test("answers say what became of the proposal, each in its own form", () => {
  const { initial } = failure();
  const outcome = { reason: "because", delaySeconds: 3 };
  const details = (["ACCEPT", "REJECT", "ABORT", "WAIT"] as const).map((status) => {
    const result = orchestrationResult({ ...outcome, status }, initial);
    expect(result).toMatchObject({ status, state: initial });
    return result.details;
  });
  expect(details).toEqual([
    { type: "accept_details" },
    { type: "reject_details", reason: "because" },
    { type: "abort_details", reason: "because" },
    { type: "wait_details", reason: "because", delay_seconds: 3 },
  ]);
});

test("an answer is 201 when it holds a state that was made for it", () => {
  const { initial } = failure();
  const result = orchestrationResult({ status: "ACCEPT", reason: null, delaySeconds: 0 }, initial);
  expect(answerStatus(result, NOW)).toBe(201);
  expect(answerStatus(result, "2026-01-01T00:00:00.000001Z")).toBe(200);
  expect(answerStatus({ ...result, state: null }, NOW)).toBe(200);
});
