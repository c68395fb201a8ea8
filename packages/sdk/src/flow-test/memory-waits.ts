// What runs of a test wait for: times, and the events that the test sends.

import type {
  Event,
  FlowRunSuspend,
  FlowRunWait,
  FlowRunWaitCreate,
  OrchestrationResult,
} from "@orchestrator/contract";
import { newId } from "../ids.ts";
import { nowMs, timestampOf } from "../time.ts";
import type { MemoryRun } from "./memory-run.ts";

/** An event that a run may wait for. */
export interface SentEvent {
  readonly event: string;
  /** An id, or labels with `orchestrator.resource.id` among them. */
  readonly resource: string | Readonly<Record<string, string>>;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  /** How long after the wait began it comes. @default 0 */
  readonly afterSeconds?: number | undefined;
}

interface Wait {
  readonly created: number;
  readonly expires: number;
  /** When the event comes, and which; null where none does. */
  readonly coming: { readonly at: number; readonly event: Event } | null;
}

const MICROS_PER_MS = 1000;
const timestamp = (ms: number): string => timestampOf(ms * MICROS_PER_MS);

export class MemoryWaits {
  readonly #unsent: SentEvent[];
  readonly #waits = new Map<string, Wait>();

  constructor(events: readonly SentEvent[]) {
    this.#unsent = [...events];
  }

  read(runId: string, request: FlowRunWaitCreate): FlowRunWait {
    const { key, event = null, match = {}, match_related = {} } = request;
    const place = `${runId} ${key}`;
    const wait = this.#waits.get(place) ?? this.#begin(request);
    this.#waits.set(place, wait);
    const ended = endOf(wait);
    const isOver = ended <= nowMs();
    const isReceived = isOver && wait.coming !== null && wait.coming.at <= wait.expires;
    return {
      key,
      event,
      match,
      match_related,
      created: timestamp(wait.created),
      expires: timestamp(wait.expires),
      remaining_seconds: Math.max(0, wait.expires - nowMs()) / 1000,
      outcome: isOver ? (isReceived ? "event" : "timeout") : null,
      ended: isOver ? timestamp(ended) : null,
      received: isReceived ? (wait.coming?.event ?? null) : null,
    };
  }

  /** Ends the process of a run until the first of its waits has ended. */
  suspend(run: MemoryRun, { keys }: FlowRunSuspend): OrchestrationResult {
    const ends = keys.flatMap((key) => {
      const wait = this.#waits.get(`${run.id} ${key}`);
      return wait === undefined ? [] : [endOf(wait)];
    });
    const first = Math.min(...ends);
    const isOver = first <= nowMs();
    if (!isOver) {
      run.update({ empirical_policy: { ...run.record.empirical_policy, resuming: true } });
      const scheduled_time = timestamp(first);
      run.force({ type: "SCHEDULED", name: "Suspended", state_details: { scheduled_time } });
    }
    return {
      status: isOver ? "REJECT" : "ACCEPT",
      state: run.state,
      details: { type: isOver ? "reject_details" : "accept_details" },
    };
  }

  #begin({ event = null, match, timeout_seconds }: FlowRunWaitCreate): Wait {
    const created = nowMs();
    const expires = created + timeout_seconds * 1000;
    if (event === null) return { created, expires, coming: null };
    const index = this.#unsent.findIndex((sent) => fits(sent, event, match ?? {}));
    const [sent] = index < 0 ? [] : this.#unsent.splice(index, 1);
    if (sent === undefined) return { created, expires, coming: null };
    const at = created + (sent.afterSeconds ?? 0) * 1000;
    const received = {
      id: newId(),
      occurred: timestamp(at),
      event: sent.event,
      resource: labelsOf(sent),
      related: [],
      payload: (sent.payload ?? {}) as Record<string, never>,
      follows: null,
    };
    return { created, expires, coming: { at, event: received } };
  }
}

const endOf = ({ coming, expires }: Wait): number => Math.min(coming?.at ?? expires, expires);

function labelsOf({ resource }: SentEvent): Readonly<Record<string, string>> {
  return typeof resource === "string" ? { "orchestrator.resource.id": resource } : resource;
}

function fits(sent: SentEvent, event: string, match: Readonly<Record<string, unknown>>): boolean {
  const labels = labelsOf(sent);
  const isNamed = fitsPattern(sent.event, event);
  return (
    isNamed &&
    Object.entries(match).every(([name, patterns]) =>
      [patterns].flat().some((pattern) => fitsPattern(labels[name] ?? "", String(pattern))),
    )
  );
}

/** As in a trigger, `*` at the end stands for anything. */
function fitsPattern(text: string, pattern: string): boolean {
  return pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
