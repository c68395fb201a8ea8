// What is worth remembering of what triggers did, in the words of the API.

import type { TriggerEvaluation } from "@orchestrator/contract";
import { formatMicros } from "@orchestrator/kernel";
import type { TraceKind } from "../automations.table.ts";
import type { Observation } from "./evaluate.rules.ts";
import { spokenLabels } from "./names.rules.ts";
import type { TriggerEvent } from "./trigger-event.rules.ts";
import { type Remark, sentence } from "./verdicts.rules.ts";

/** So many firings are kept, and as many near misses. */
export const KEPT_ENTRIES = 50;

export interface TraceEntry {
  readonly automationId: string;
  readonly workspaceId: string;
  readonly kind: TraceKind;
  /** The same for near misses that need not stand there twice in a row. */
  readonly alike: string;
  readonly evaluation: TriggerEvaluation;
}

const LONGEST_VALUE = 200;
const MOST_LABELS = 20;
const MOST_PATTERNS = 20;

const cut = (text: string): string =>
  text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;

export const toldEvent = ({ id, sent }: TriggerEvent) => ({
  id,
  event: sent.name,
  occurred: sent.occurred,
});

export const toldWindow = ({ window }: Remark) =>
  window === null ? null : { starts: formatMicros(window.starts), ends: formatMicros(window.ends) };

export function toldLabels(
  prefix: string,
  labels: Readonly<Record<string, string>>,
): Record<string, string> {
  const some = Object.entries(spokenLabels(prefix, labels)).slice(0, MOST_LABELS);
  return Object.fromEntries(some.map(([name, value]) => [cut(name), cut(value)]));
}

export function evaluationOf(prefix: string, observed: Observation): TriggerEvaluation {
  const { remark, event, at, triggerId, labels } = observed;
  const { verdict, count, threshold, mismatch } = remark;
  return {
    time: formatMicros(at),
    verdict,
    message: sentence(remark),
    trigger_id: triggerId,
    labels: toldLabels(prefix, labels),
    event: event === null ? null : toldEvent(event),
    count: Math.max(0, count),
    threshold,
    window: toldWindow(remark),
    mismatch: mismatch && {
      part: mismatch.part,
      label: cut(mismatch.label),
      wanted: mismatch.wanted.slice(0, MOST_PATTERNS).map(cut),
      found: mismatch.found === null ? null : cut(mismatch.found),
    },
    times: 1,
  };
}

/** That a trigger within another has fired is told by the other; that a window was opened is as it should be. */
export function isWorthTelling({
  automation,
  triggerId,
  remark: { verdict },
}: Observation): boolean {
  if (verdict === "fired") return triggerId === automation.trigger.id;
  return verdict !== "window-opened";
}

/** What is to be kept of a pass: of near misses that are alike the last one, of all no more than are kept anyway. */
export function traceEntries(prefix: string, observed: readonly Observation[]): TraceEntry[] {
  const kept = new Map<string, TraceEntry[]>();
  for (const observation of observed.filter(isWorthTelling)) {
    const entry = entryOf(prefix, observation);
    const place = `${entry.automationId} ${entry.kind}`;
    const there = kept.get(place) ?? [];
    const last = there.at(-1);
    if (last !== undefined && mayJoin(last, entry)) there[there.length - 1] = join(last, entry);
    else there.push(entry);
    kept.set(place, there.length > KEPT_ENTRIES ? there.slice(-KEPT_ENTRIES) : there);
  }
  return [...kept.values()].flat();
}

function entryOf(prefix: string, observation: Observation): TraceEntry {
  const { automation, triggerId, remark } = observation;
  const evaluation = evaluationOf(prefix, observation);
  return {
    automationId: automation.id,
    workspaceId: automation.workspaceId,
    kind: remark.verdict === "fired" ? "fired" : "missed",
    alike: JSON.stringify([remark.verdict, triggerId, evaluation.labels]),
    evaluation,
  };
}

export const mayJoin = (
  before: Pick<TraceEntry, "kind" | "alike">,
  after: Pick<TraceEntry, "kind" | "alike">,
): boolean => after.kind === "missed" && before.kind === "missed" && before.alike === after.alike;

export function join<Entry extends Pick<TraceEntry, "evaluation">>(
  before: Pick<TraceEntry, "evaluation">,
  after: Entry,
): Entry {
  const times = before.evaluation.times + after.evaluation.times;
  return { ...after, evaluation: { ...after.evaluation, times } };
}
