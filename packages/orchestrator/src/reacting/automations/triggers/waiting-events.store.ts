import type { LoggedEvent } from "@orchestrator/kernel/events";
import type { SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { AutomationWaitingEventRow } from "../../../db/tables/automations.table.ts";
import { statement, systemStatement } from "../../../db/tables.ts";

const COLUMNS = [
  "waiting.workspace_id",
  "waiting.event_id as id",
  "waiting.position",
  "waiting.occurred",
  "waiting.received",
  "waiting.event",
  "waiting.resource_id",
  "waiting.body",
] as const;

const selectAny = systemStatement()((db) =>
  db.selectFrom("automation_waiting_events").select("event_id").limit(1),
);

/** Mostly nothing waits, and to see that costs next to nothing. */
export async function isAnyWaiting(queries: Pick<SystemTransaction, "get">): Promise<boolean> {
  return (await queries.get(selectAny, {})) !== undefined;
}

/** Which event, of which workspace. */
export interface WaitingEventKey {
  readonly workspace_id: string;
  readonly id: string;
}

const selectFollowers = systemStatement<{ leaders: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ workspace_id: "id", id: "id" }, p.leaders)
        .$castTo<{ workspace_id: string; id: string }>()
        .as("leader"),
    )
    .innerJoin("automation_waiting_events as waiting", (join) =>
      join
        .onRef("waiting.follows", "=", "leader.id")
        .onRef("waiting.workspace_id", "=", "leader.workspace_id"),
    )
    .select(COLUMNS)
    .orderBy("waiting.position"),
);

/** The events that wait for one of these. */
export async function readFollowers(
  tx: SystemTransaction,
  leaders: readonly WaitingEventKey[],
): Promise<LoggedEvent[]> {
  if (leaders.length === 0) return [];
  return tx.all(selectFollowers, { leaders: JSON.stringify(leaders) });
}

const selectSeen = systemStatement<{ leaders: string; before: number }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ workspace_id: "id", id: "id" }, p.leaders)
        .$castTo<{ workspace_id: string; id: string }>()
        .as("leader"),
    )
    .select(["leader.workspace_id", "leader.id"])
    .where(
      sql<boolean>`exists (select 1 from events where events.workspace_id = leader.workspace_id
        and events.id = leader.id and events.position < ${p.before})`,
    )
    .where(
      sql<boolean>`not exists (select 1 from automation_waiting_events as waiting
        where waiting.workspace_id = leader.workspace_id and waiting.event_id = leader.id)`,
    ),
);

/** Those of the events that stand before a position in the log and do not wait themselves. */
export async function readSeen(
  tx: Pick<SystemTransaction, "all">,
  leaders: readonly WaitingEventKey[],
  before: number,
): Promise<WaitingEventKey[]> {
  if (leaders.length === 0) return [];
  return tx.all(selectSeen, { leaders: JSON.stringify(leaders), before });
}

const insert = statement<AutomationWaitingEventRow>()((db, p) =>
  db
    .insertInto("automation_waiting_events")
    .values({
      workspace_id: p.workspace_id,
      event_id: p.event_id,
      follows: p.follows,
      position: p.position,
      occurred: p.occurred,
      received: p.received,
      event: p.event,
      resource_id: p.resource_id,
      body: p.body,
      give_up: p.give_up,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export async function insertWaiting(
  tx: Transaction,
  row: AutomationWaitingEventRow,
): Promise<void> {
  await tx.run(insert, row);
}

const deleteAutomationWaitingEventRow = systemStatement<{ workspace_id: string; id: string }>()(
  (db, p) =>
    db
      .deleteFrom("automation_waiting_events")
      .where("workspace_id", "=", p.workspace_id)
      .where("event_id", "=", p.id),
);

export async function removeWaiting(tx: SystemTransaction, key: WaitingEventKey): Promise<void> {
  await tx.run(deleteAutomationWaitingEventRow, { workspace_id: key.workspace_id, id: key.id });
}

const selectOverdue = systemStatement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("automation_waiting_events as waiting")
    .select(COLUMNS)
    .where("waiting.give_up", "<=", p.now)
    .orderBy("waiting.position")
    .limit(p.limit),
);

/** The events that have waited long enough. */
export function readOverdue(
  queries: Pick<SystemTransaction, "all">,
  look: { readonly now: string; readonly limit: number },
): Promise<LoggedEvent[]> {
  return queries.all(selectOverdue, look);
}
