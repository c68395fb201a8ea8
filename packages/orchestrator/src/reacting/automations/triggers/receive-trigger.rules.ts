// A trigger as a caller gives it, made complete; or what is wrong with it.

import type { EventTrigger as GivenEvent, Trigger as GivenTrigger } from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { type EventTriggerRule, leavesOf, type TriggerRule } from "./triggers.rules.ts";

const MAX_TRIGGERS = 100;
const SHORTEST_ABSENCE_SECONDS = 10;

type Path = readonly (string | number)[];

/** Every trigger gets an id of its own, whatever the caller has sent. */
export function receiveTrigger(given: GivenTrigger, newId: () => string): TriggerRule {
  const trigger = receive(given, newId, ["body", "trigger"]);
  if (leavesOf(trigger).length > MAX_TRIGGERS) {
    throw refusal(["body", "trigger"], `there are more than ${MAX_TRIGGERS} triggers`);
  }
  return trigger;
}

function receive(given: GivenTrigger, newId: () => string, path: Path): TriggerRule {
  if (given.type === "event") return receiveEvent(given, newId(), path);
  const { type, within } = given;
  const triggers = given.triggers.map((child, index) =>
    receive(child as GivenTrigger, newId, [...path, "triggers", index]),
  );
  if (type === "sequence") return { type, id: newId(), triggers, within };
  const { require } = given;
  if (typeof require === "number" && require > triggers.length) {
    throw refusal([...path, "require"], "more triggers are required than there are");
  }
  return { type, id: newId(), triggers, require, within };
}

function receiveEvent(given: GivenEvent, id: string, path: Path): EventTriggerRule {
  const { posture } = given;
  return {
    type: "event",
    id,
    match: given.match ?? {},
    match_related: given.match_related ?? {},
    after: [...new Set(given.after ?? [])],
    expect: [...new Set(given.expect ?? [])],
    for_each: [...new Set(given.for_each ?? [])],
    posture,
    threshold: given.threshold ?? 1,
    within: windowOf(posture, given.within ?? 0, path),
  };
}

function windowOf(posture: GivenEvent["posture"], within: number, path: Path): number {
  if (posture === "Reactive" || within >= SHORTEST_ABSENCE_SECONDS) return within;
  if (within === 0) return SHORTEST_ABSENCE_SECONDS;
  throw refusal(
    [...path, "within"],
    `a Proactive trigger needs at least ${SHORTEST_ABSENCE_SECONDS} seconds`,
  );
}

function refusal(loc: Path, problem: string): InvalidRequestError {
  return new InvalidRequestError([{ type: "value_error", loc, msg: `Value error, ${problem}` }]);
}
