import { randomUUID } from "node:crypto";
import { type AppendedEvent, appendEvent } from "../event-log/append.ts";
import type { Database } from "../storage/database.ts";
import { W1 } from "./things.ts";

export function anEvent(values: Partial<AppendedEvent> = {}): AppendedEvent {
  return {
    id: randomUUID(),
    occurred: "2026-01-01T00:00:00.000000Z",
    received: "2026-01-01T00:00:01.000000Z",
    event: "thing.changed",
    resource_id: "thing.1",
    body: "{}",
    ...values,
  };
}

/** Appends one event for each name, each in a write of its own, in this order. */
export async function appendNamed(db: Database, names: readonly string[]): Promise<void> {
  for (const event of names) await db.write(W1, (tx) => appendEvent(tx, anEvent({ event })));
}
