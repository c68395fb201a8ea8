// What a server remembers of the requests to webhooks: how many there were lately, and what became
// of the last.

import type { WebhookStatus } from "@orchestrator/contract";
import type { Database } from "@orchestrator/kernel/storage";

const MINUTE_MICROS = 60_000_000;
const MOST_REMEMBERED = 10_000;

export interface Reception {
  readonly at: string;
  readonly status: WebhookStatus;
  readonly error: string | null;
}

interface Bucket {
  tokens: number;
  filled: number;
}

interface Addressed {
  readonly id: string;
  readonly workspace_id: string;
}

/**
 * Counts against bounds, and keeps what a loop writes down later, so that a request writes nothing
 * but its event.
 */
export class WebhookTraffic {
  readonly #buckets = new Map<string, Bucket>();
  #receptions = new Map<string, Map<string, Reception>>();

  /** Seconds until a request of the webhook may come again; 0 when this one may, and is counted. */
  take(id: string, perMinute: number, nowMicros: number): number {
    if (!this.#buckets.has(id) && this.#buckets.size >= MOST_REMEMBERED) this.#buckets.clear();
    const { tokens, filled } = this.#buckets.get(id) ?? { tokens: perMinute, filled: nowMicros };
    const gained = (Math.max(0, nowMicros - filled) * perMinute) / MINUTE_MICROS;
    const held = Math.min(perMinute, tokens + gained);
    const isFree = held >= 1;
    this.#buckets.set(id, { tokens: isFree ? held - 1 : held, filled: nowMicros });
    return isFree ? 0 : Math.ceil(((1 - held) * 60) / perMinute);
  }

  note({ id, workspace_id }: Addressed, reception: Reception): void {
    const receptions = this.#receptions.get(workspace_id) ?? new Map<string, Reception>();
    this.#receptions.set(workspace_id, receptions);
    const before = receptions.get(id);
    if (before === undefined || before.at <= reception.at) receptions.set(id, reception);
  }

  /** The last of each webhook since it was last asked for, by workspace. */
  takeReceptions(): ReadonlyMap<string, ReadonlyMap<string, Reception>> {
    const taken = this.#receptions;
    this.#receptions = new Map();
    return taken;
  }

  /** For those that could not be written down; what has come since is newer. */
  giveBack(workspaceId: string, receptions: ReadonlyMap<string, Reception>): void {
    const since = this.#receptions.get(workspaceId) ?? [];
    this.#receptions.set(workspaceId, new Map([...receptions, ...since]));
  }
}

const traffic = new WeakMap<Database, WebhookTraffic>();

export function trafficOf(db: Database): WebhookTraffic {
  const known = traffic.get(db) ?? new WebhookTraffic();
  traffic.set(db, known);
  return known;
}
