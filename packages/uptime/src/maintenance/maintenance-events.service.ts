import { appendEvent } from "@orchestrator/kernel/events";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { UptimeContext } from "../context.ts";
import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";
import { findCovered } from "./covered-monitors.store.ts";

const PREFIX = "orchestrator";
/** Events name no more resources than this; the payload tells how many there are. */
const MOST_MONITORS = 80;
const MOST_TAGS = 20;

export interface WindowTransition {
  readonly row: MaintenanceRow;
  readonly verb: "started" | "ended";
  readonly start: string;
  readonly end: string;
}

/** Tells that a period has begun or ended, in the transaction that notes it. */
export async function publishWindowEvent(
  { ids, clock }: Pick<UptimeContext, "ids" | "clock">,
  tx: Transaction,
  { row, verb, start, end }: WindowTransition,
): Promise<void> {
  const id = ids.uuid7();
  const occurred = clock.now();
  const event = `${PREFIX}.maintenance.${verb}`;
  const resource_id = `${PREFIX}.maintenance.${row.id}`;
  const { count, monitors } = await findCovered(tx, row, MOST_MONITORS);
  const tags = (JSON.parse(row.tags) as readonly string[]).slice(0, MOST_TAGS);
  const related = [
    ...monitors.map((monitor) => ({
      [`${PREFIX}.resource.id`]: `${PREFIX}.monitor.${monitor.id}`,
      [`${PREFIX}.resource.role`]: "monitor",
      [`${PREFIX}.resource.name`]: monitor.name,
    })),
    ...tags.map((tag) => ({
      [`${PREFIX}.resource.id`]: `${PREFIX}.tag.${tag}`,
      [`${PREFIX}.resource.role`]: "tag",
    })),
  ];
  const { name, description, all_monitors } = row;
  const payload = { name, description, all_monitors, monitors: count, start, end };
  const resource = {
    [`${PREFIX}.resource.id`]: resource_id,
    [`${PREFIX}.resource.name`]: name,
  };
  await appendEvent(tx, {
    id,
    occurred,
    received: occurred,
    event,
    resource_id,
    related: JSON.stringify(related),
    body: JSON.stringify({
      id,
      occurred,
      event,
      resource,
      related,
      payload,
      follows: null,
      received: occurred,
    }),
  });
}
