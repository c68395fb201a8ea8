// Waits for events that have not ended, as the reader of the event log finds and ends them.

import type { SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { AwaitedEventRow, FlowRunWaitRow } from "../../db/tables/flow-run-waits.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";
import type { WaitLookup } from "./wait-pattern.rules.ts";

const selectAnyOpen = systemStatement()((db) =>
  db
    .selectFrom("flow_run_waits")
    .select("flow_run_id")
    .where("lookup_name", "is not", null)
    .limit(1),
);

/** Mostly there is none, and the index that answers is empty. */
export async function isAnyWaitOpen(tx: SystemTransaction): Promise<boolean> {
  return (await tx.get(selectAnyOpen, {})) !== undefined;
}

interface NamedEvents {
  readonly workspace_id: string;
  readonly name: string;
}

const selectExpected = systemStatement<{ names: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ workspace_id: "id", name: "text" }, p.names)
        .$castTo<NamedEvents>()
        .as("sent"),
    )
    .select(["sent.workspace_id", "sent.name"])
    .where((e) =>
      e.exists(
        e
          .selectFrom("flow_run_waits as wait")
          .select("wait.key")
          .where("wait.lookup_name", "is not", null)
          .whereRef("wait.workspace_id", "=", "sent.workspace_id")
          .whereRef("wait.lookup_name", "=", "sent.name"),
      ),
    ),
);

/** Those of the names that a wait of their workspace looks for. */
export async function listExpectedNames(
  tx: SystemTransaction,
  names: readonly NamedEvents[],
): Promise<NamedEvents[]> {
  return tx.all(selectExpected, { names: JSON.stringify(names) });
}

export type OpenWait = Pick<
  FlowRunWaitRow,
  "flow_run_id" | "key" | "expires" | "pattern" | "after_position"
> &
  WaitLookup & { readonly workspace_id: string; readonly event: string };

const selectOpen = systemStatement<{ lookups: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ workspace_id: "id", lookup_name: "text", anchor: "text" }, p.lookups)
        .$castTo<WaitLookup & { workspace_id: string }>()
        .as("sent"),
    )
    .innerJoin("flow_run_waits as wait", (join) =>
      join
        .onRef("wait.workspace_id", "=", "sent.workspace_id")
        .onRef("wait.lookup_name", "=", "sent.lookup_name")
        .onRef("wait.anchor", "=", "sent.anchor"),
    )
    .select([
      "wait.workspace_id",
      "wait.flow_run_id",
      "wait.key",
      "wait.expires",
      "wait.pattern",
      "wait.after_position",
      "wait.anchor",
      sql<string>`wait.event`.as("event"),
      sql<string>`wait.lookup_name`.as("lookup_name"),
    ])
    .where("wait.lookup_name", "is not", null)
    .orderBy("wait.flow_run_id")
    .orderBy("wait.key"),
);

export async function listOpenWaits(
  tx: SystemTransaction,
  lookups: readonly (WaitLookup & { readonly workspace_id: string })[],
): Promise<OpenWait[]> {
  if (lookups.length === 0) return [];
  return tx.all(selectOpen, { lookups: JSON.stringify(lookups) });
}

interface EndOfWaits {
  readonly waits: string;
  readonly event_id: string;
  readonly now: string;
}

/** The first event ends a wait; one that has ended meanwhile stays as it is. */
const endListed = statement<EndOfWaits>()((db, p, dialect) =>
  db
    .updateTable("flow_run_waits")
    .set({
      outcome: sql.lit("event" as const),
      ended: p.now,
      unread_since: p.now,
      event_id: p.event_id,
      lookup_name: null,
    })
    .where("workspace_id", "=", p.workspace_id)
    .where("outcome", "is", null)
    .where(
      sql<boolean>`(flow_run_id, key) in (select listed.flow_run_id, listed.key
        from ${dialect.rowsFrom({ flow_run_id: "id", key: "text" }, p.waits)} as listed)`,
    ),
);

const insertEvent = statement<AwaitedEventRow>()((db, p) =>
  db
    .insertInto("awaited_events")
    .values({
      workspace_id: p.workspace_id,
      event_id: p.event_id,
      created: p.created,
      body: p.body,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export async function endWaitsWith(
  tx: Transaction,
  waits: readonly Pick<FlowRunWaitRow, "flow_run_id" | "key">[],
  event: AwaitedEventRow,
): Promise<void> {
  await tx.run(insertEvent, event);
  const listed = waits.map(({ flow_run_id, key }) => ({ flow_run_id, key }));
  const { event_id, created: now } = event;
  await tx.run(endListed, { waits: JSON.stringify(listed), event_id, now });
}
