// Where a list of events goes on. Clients hand it back as they got it.

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { EventFilter, Timestamp } from "@orchestrator/contract";
import { createReader } from "@orchestrator/kernel/http";
import { type Static, Type } from "typebox";

/** Longer ones do not fit into the address of a request. */
const MAX_TOKEN = 12_000;
const MAX_BYTES = 4_000_000;

/** The greatest number that is a place in the log on every engine, and exact here. */
const LAST = Number.MAX_SAFE_INTEGER;

const EventsPlace = Type.Object({
  filter: EventFilter,
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
  total: Type.Integer({ minimum: 0, maximum: LAST }),
  /** The last event there was when the list began. */
  head: Type.Integer({ minimum: 0, maximum: LAST }),
  /** The last event of the page before. */
  occurred: Timestamp(),
  position: Type.Integer({ minimum: 0, maximum: LAST }),
});
export type EventsPlace = Static<typeof EventsPlace>;

const reader = createReader(EventsPlace);

/** Null when it would be too long. */
export function writePlace(place: EventsPlace): string | null {
  const token = deflateRawSync(JSON.stringify(place)).toString("base64url");
  return token.length > MAX_TOKEN ? null : token;
}

/** Null for what is none of ours. */
export function readPlace(token: string): EventsPlace | null {
  try {
    const bytes = inflateRawSync(Buffer.from(token, "base64url"), { maxOutputLength: MAX_BYTES });
    const reading = reader.read(bytes);
    return "problem" in reading ? null : reading.value;
  } catch {
    return null;
  }
}
