import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import type { ResourceEvent } from "../events/emit.ts";
import { receivedKey } from "./limit-keys.rules.ts";

type Verb = "created" | "updated" | "deleted";

export function limitEvent(verb: Verb, row: ConcurrencyLimitRow, occurred: string): ResourceEvent {
  const { id, name, slot_limit: limit, active, slot_decay_per_second } = row;
  const key = receivedKey(row.key);
  const payload = JSON.stringify({
    name,
    limit,
    active,
    slot_decay_per_second,
    ...(key && { key }),
  });
  return { kind: "concurrency-limit", verb, id, name, occurred, payload };
}
