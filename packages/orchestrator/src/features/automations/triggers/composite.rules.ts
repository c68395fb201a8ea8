// Triggers made of triggers: what they remember of their children, and when they fire.

import type { CompositeTrigger } from "./triggers.rules.ts";

const SECOND = 1_000_000;

/** That a child has fired; the newest firing of each child counts. */
export interface ChildFiring {
  readonly childId: string;
  /** Microseconds. */
  readonly fired: number;
  /** Breaks ties: where in the log the event stands that it fired for. */
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
}

export function onChildFiring(
  trigger: CompositeTrigger,
  known: readonly ChildFiring[],
  child: ChildFiring,
): CompositeStep {
  const oldest = trigger.within === null ? -Infinity : child.fired - trigger.within * SECOND;
  const kept = known.filter(({ childId, fired }) => childId !== child.childId && fired >= oldest);
  const children = [...kept, child].sort((a, b) => a.fired - b.fired || a.position - b.position);
  return isComplete(trigger, children)
    ? { children: [], fires: children }
    : { children, fires: null };
}

function isComplete(trigger: CompositeTrigger, children: readonly ChildFiring[]): boolean {
  if (trigger.type === "compound") return children.length >= requiredOf(trigger);
  return (
    children.length === trigger.triggers.length &&
    children.every(({ childId }, index) => childId === trigger.triggers[index]?.id)
  );
}

function requiredOf({
  require,
  triggers,
}: Extract<CompositeTrigger, { type: "compound" }>): number {
  if (require === "any") return 1;
  return require === "all" ? triggers.length : require;
}
