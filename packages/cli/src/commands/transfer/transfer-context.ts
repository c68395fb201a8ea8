import type { JsonValue } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Side } from "./sides.ts";

/** What the things of the one server are called on the other. */
export class IdMapping {
  readonly #ids = new Map<string, string>();

  set(ours: string, theirs: string): void {
    this.#ids.set(ours, theirs);
  }

  find(ours: string): string | null {
    return this.#ids.get(ours) ?? null;
  }

  /** The other server's id; where it has no such thing, whoever needs it is left out. */
  need(ours: string, what: string): string {
    const theirs = this.find(ours);
    if (theirs === null) throw new NotTransferable(`${what} is not on the other server`);
    return theirs;
  }

  /** The same or nothing. */
  needAny(ours: string | null | undefined, what: string): string | null {
    return ours == null ? null : this.need(ours, what);
  }

  /**
   * A value with the other server's ids in the places of ours, also within texts; what is not known
   * stays.
   */
  replaced<Value extends JsonValue>(value: Value): Value {
    return this.#replace(value) as Value;
  }

  #replace(value: JsonValue): JsonValue {
    if (typeof value === "string") {
      return value.replaceAll(UUID, (id) => this.find(id.toLowerCase()) ?? id);
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#replace(item));
    const members = Object.entries(value).map(([key, item]) => [key, this.#replace(item)]);
    return Object.fromEntries(members) as JsonValue;
  }
}

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;

/** The ids in a value that are not known. */
export function unknownIdsIn(value: JsonValue, ids: IdMapping): string[] {
  const found = writeJson(value).match(UUID) ?? [];
  return [...new Set(found)].filter((id) => ids.find(id.toLowerCase()) === null);
}

/** It cannot be transferred, and the message says why; nothing is wrong with the rest. */
export class NotTransferable extends Error {
  override readonly name = "NotTransferable";
}

export interface Transfer {
  readonly from: Side;
  readonly to: Side;
  readonly isDryRun: boolean;
  /** Whether deployments are to make no runs over there for the time being. */
  readonly isPausing: boolean;
  readonly ids: IdMapping;
}

/** What became of one thing. */
export interface TransferItem {
  /** As the command line calls its kind. */
  readonly kind: string;
  readonly name: string;
  readonly outcome: "created" | "exists" | "left_out" | "failed";
  /** What people ought to know about it. */
  readonly note: string | null;
}
