// Triggers made of triggers: what they remember of their children, and when they fire.

import type { Verdict } from "@orchestrator/contract";
import type { CompositeTrigger } from "./triggers.rules.ts";
import { type Remark, remark } from "./verdicts.rules.ts";

const SECOND = 1_000_000;

/** That a child has fired; the newest firing of each child counts. */
export interface ChildFiring {
  readonly childId: string;
  /** Microseconds. */
  readonly fired: number;
  /**
   * Breaks ties: where in the log the event stands that it fired for; 0 where the time has made it
   * fire.
   */
  readonly position: number;
  readonly labels: Readonly<Record<string, string>>;
  /** The event that it fired for, as JSON text. */
  readonly event: string | null;
}

export interface CompositeStep {
  /** What is remembered afterwards. */
  readonly children: readonly ChildFiring[];
  /** The firings that made the trigger fire, in order; null when it does not. */
  readonly fires: readonly ChildFiring[] | null;
  readonly remark: Remark;
}

export function onChildFiring(
  trigger: CompositeTrigger,
  known: readonly ChildFiring[],
  child: ChildFiring,
): CompositeStep {
  const oldest = trigger.within === null ? -Infinity : child.fired - trigger.within * SECOND;
  const others = known.filter(({ childId }) => childId !== child.childId);
  const kept = others.filter(({ fired }) => fired >= oldest);
  const stepOf = ({ childId }: ChildFiring) =>
    trigger.triggers.findIndex(({ id }) => id === childId);
  const children = [...kept, child].sort(
    (a, b) => a.fired - b.fired || a.position - b.position || stepOf(a) - stepOf(b),
  );
  const isFired = isComplete(trigger, children);
  const threshold = requiredOf(trigger);
  const say = (verdict: Verdict): Remark => remark(verdict, { count: children.length, threshold });
  if (isFired) return { children: [], fires: children, remark: say("fired") };
  const isInTurn = children.length < threshold || areOfOneEvent(children);
  if (!isInTurn) return { children, fires: null, remark: say("wrong-order") };
  const missing = kept.length < others.length ? "others-too-old" : "others-missing";
  return { children, fires: null, remark: say(missing) };
}

function isComplete(trigger: CompositeTrigger, children: readonly ChildFiring[]): boolean {
  if (trigger.type === "compound") return children.length >= requiredOf(trigger);
  return (
    children.length === trigger.triggers.length &&
    children.every(({ childId }, index) => childId === trigger.triggers[index]?.id) &&
    !areOfOneEvent(children)
  );
}

/** A single event is no sequence, even where each step waits for such a one. */
function areOfOneEvent(children: readonly ChildFiring[]): boolean {
  const [first, last] = [children[0], children.at(-1)];
  return children.length > 1 && first?.position === last?.position && first?.position !== 0;
}

function requiredOf(trigger: CompositeTrigger): number {
  if (trigger.type === "sequence" || trigger.require === "all") return trigger.triggers.length;
  return trigger.require === "any" ? 1 : trigger.require;
}
