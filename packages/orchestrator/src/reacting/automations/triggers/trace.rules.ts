// What is worth remembering of what triggers did, in the words of the API.

import type { TriggerEvaluation } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { TraceKind } from "../../../db/tables/automations.table.ts";
import type { Observation } from "./evaluate.rules.ts";
import { spokenLabels } from "./names.rules.ts";
import type { TriggerEvent } from "./trigger-event.rules.ts";
import { type Remark, remarkSentence } from "./verdicts.rules.ts";

/** So many firings are kept, and as many near misses. */
export const MAX_TRACE_ENTRIES = 50;

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

export const tracedEvent = ({ id, sent }: TriggerEvent) => ({
  id,
  event: sent.name,
  occurred: sent.occurred,
});

const EARLIEST = parseMicros("0001-01-01T00:00:00.000000Z");
const LATEST = parseMicros("9999-12-31T23:59:59.000000Z");

/**
 * Windows of the first and the last events that there can be reach further than any time that can
 * be told.
 */
const toldTime = (micros: number): string =>
  formatMicros(Math.min(Math.max(micros, EARLIEST), LATEST));

export const tracedWindow = ({ window }: Remark) =>
  window === null ? null : { starts: toldTime(window.starts), ends: toldTime(window.ends) };

export function tracedLabels(
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
    message: remarkSentence(remark),
    trigger_id: triggerId,
    labels: tracedLabels(prefix, labels),
    event: event === null ? null : tracedEvent(event),
    count: Math.max(0, count),
    threshold,
    window: tracedWindow(remark),
    mismatch: mismatch && {
      part: mismatch.part,
      label: cut(mismatch.label),
      wanted: mismatch.wanted.slice(0, MOST_PATTERNS).map(cut),
      found: mismatch.found === null ? null : cut(mismatch.found),
    },
    times: 1,
  };
}

/**
 * That a trigger within another has fired is told by the other; that a window was opened is as it
 * should be.
 */
export function isWorthTracing({
  automation,
  triggerId,
  remark: { verdict },
}: Observation): boolean {
  if (verdict === "fired") return triggerId === automation.trigger.id;
  return verdict !== "window-opened";
}

/** Something that was observed, perhaps several times in a row. */
interface Repeated {
  readonly key: string;
  readonly observation: Observation;
  readonly times: number;
}

/**
 * What is to be kept of a pass: of near misses that are alike the last one, of all no more than are
 * kept anyway.
 */
export function traceEntries(prefix: string, observed: readonly Observation[]): TraceEntry[] {
  return [...runsOf(observed).values()].flatMap((there) => {
    const entries: TraceEntry[] = [];
    for (const repeated of there) {
      const entry = entryOf(prefix, repeated);
      const last = entries.at(-1);
      if (last !== undefined && mayJoin(last, entry))
        entries[entries.length - 1] = mergeTraceEntries(last, entry);
      else entries.push(entry);
    }
    return entries.slice(-MAX_TRACE_ENTRIES);
  });
}

/**
 * By automation and kind. Most are the same as before, and only the last of those is put into
 * words.
 */
function runsOf(observed: readonly Observation[]): Map<string, Repeated[]> {
  const places = new Map<string, Repeated[]>();
  for (const observation of observed) {
    if (!isWorthTracing(observation)) continue;
    const { automation, triggerId, remark, labels } = observation;
    const kind = kindOf(observation);
    const place = `${automation.id} ${kind}`;
    const key = `${remark.verdict} ${triggerId} ${isEmpty(labels) ? "" : JSON.stringify(labels)}`;
    let there = places.get(place);
    if (there === undefined) places.set(place, (there = []));
    const last = there.at(-1);
    if (last !== undefined && kind === "missed" && last.key === key)
      there[there.length - 1] = { key, observation, times: last.times + 1 };
    else there.push({ key, observation, times: 1 });
  }
  return places;
}

const kindOf = ({ remark }: Observation): TraceKind =>
  remark.verdict === "fired" ? "fired" : "missed";

function isEmpty(labels: Readonly<Record<string, string>>): boolean {
  for (const _name in labels) return false;
  return true;
}

function entryOf(prefix: string, { observation, times }: Repeated): TraceEntry {
  const { automation, triggerId, remark } = observation;
  const evaluation = evaluationOf(prefix, observation);
  return {
    automationId: automation.id,
    workspaceId: automation.workspaceId,
    kind: kindOf(observation),
    alike: JSON.stringify([remark.verdict, triggerId, evaluation.labels]),
    evaluation: { ...evaluation, times },
  };
}

export const mayJoin = (
  before: Pick<TraceEntry, "kind" | "alike">,
  after: Pick<TraceEntry, "kind" | "alike">,
): boolean => after.kind === "missed" && before.kind === "missed" && before.alike === after.alike;

export function mergeTraceEntries<Entry extends Pick<TraceEntry, "evaluation">>(
  before: Pick<TraceEntry, "evaluation">,
  after: Entry,
): Entry {
  const times = before.evaluation.times + after.evaluation.times;
  return { ...after, evaluation: { ...after.evaluation, times } };
}
