// Waits of one run, as its executor registers and reads them.

import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { type Kysely, sql } from "kysely";
import type { FlowRunWaitRow } from "../../db/tables/flow-run-waits.table.ts";
import { statement, type Tables } from "../../db/tables.ts";
import type { WaitLookup } from "./wait-pattern.rules.ts";

interface WaitKey {
  readonly flow_run_id: string;
  readonly key: string;
}

/** A wait, and the event that has ended it as JSON text. */
export type StoredWait = FlowRunWaitRow & { readonly received: string | null };

const waitsWithEvents = (
  db: Pick<Kysely<Tables>, "selectFrom">,
  p: { readonly workspace_id: string },
) =>
  db
    .selectFrom("flow_run_waits as wait")
    .leftJoin("awaited_events as awaited", (join) =>
      join
        .onRef("awaited.workspace_id", "=", "wait.workspace_id")
        .onRef("awaited.event_id", "=", "wait.event_id"),
    )
    .selectAll("wait")
    .select("awaited.body as received")
    .where("wait.workspace_id", "=", p.workspace_id);

const waitByKey = statement<WaitKey>()((db, p) =>
  waitsWithEvents(db, p)
    .where("wait.flow_run_id", "=", p.flow_run_id)
    .where("wait.key", "=", p.key),
);

export async function findWait(queries: Queries, key: WaitKey): Promise<StoredWait | null> {
  return (await queries.get(waitByKey, key)) ?? null;
}

const openOfRun = statement<{ flow_run_id: string; limit: number }>()((db, p) =>
  waitsWithEvents(db, p)
    .where("wait.flow_run_id", "=", p.flow_run_id)
    .where("wait.outcome", "is", null)
    .orderBy("wait.created")
    .orderBy("wait.key")
    .limit(p.limit),
);

/** What a run waits for, the oldest first. */
export async function listWaitsOfRun(
  queries: Queries,
  request: { readonly flow_run_id: string; readonly limit: number },
): Promise<StoredWait[]> {
  return queries.all(openOfRun, request);
}

const waitsByKeys = statement<{ flow_run_id: string; keys: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_run_waits")
    .select(["key", "event", "expires", "outcome"])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where(
      "key",
      "in",
      sql<string>`(select listed.key from ${dialect.rowsFrom({ key: "text" }, p.keys)} as listed)`,
    )
    .orderBy("expires")
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** Until the commit no event ends them. */
export async function lockWaits(
  tx: Transaction,
  { flow_run_id, keys }: { readonly flow_run_id: string; readonly keys: readonly string[] },
): Promise<Pick<FlowRunWaitRow, "key" | "event" | "expires" | "outcome">[]> {
  const listed = JSON.stringify([...new Set(keys)].map((key) => ({ key })));
  return tx.all(waitsByKeys, { flow_run_id, keys: listed });
}

const upsertWait = statement<FlowRunWaitRow>()((db, p) =>
  db
    .insertInto("flow_run_waits")
    .values({
      workspace_id: p.workspace_id,
      flow_run_id: p.flow_run_id,
      key: p.key,
      created: p.created,
      expires: p.expires,
      attempt: p.attempt,
      event: p.event,
      pattern: p.pattern,
      after_position: p.after_position,
      lookup_name: p.lookup_name,
      anchor: p.anchor,
      outcome: p.outcome,
      ended: p.ended,
      event_id: p.event_id,
      unread_since: p.unread_since,
    })
    .onConflict((conflict) =>
      conflict.columns(["flow_run_id", "key"]).doUpdateSet((e) => ({
        created: e.ref("excluded.created"),
        expires: e.ref("excluded.expires"),
        attempt: e.ref("excluded.attempt"),
        event: e.ref("excluded.event"),
        pattern: e.ref("excluded.pattern"),
        after_position: e.ref("excluded.after_position"),
        lookup_name: e.ref("excluded.lookup_name"),
        anchor: e.ref("excluded.anchor"),
        outcome: e.ref("excluded.outcome"),
        ended: e.ref("excluded.ended"),
        event_id: e.ref("excluded.event_id"),
        unread_since: e.ref("excluded.unread_since"),
      })),
    ),
);

/** A call that waits for something else than before is another wait. */
export async function beginWait(tx: Transaction, row: FlowRunWaitRow): Promise<void> {
  await tx.run(upsertWait, row);
}

const expireOpen = statement<WaitKey & { now: string }>()((db, p) =>
  db
    .updateTable("flow_run_waits")
    .set({ outcome: sql.lit("timeout" as const), ended: p.now, lookup_name: null })
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("key", "=", p.key)
    .where("outcome", "is", null),
);

/** Ends a wait in vain, unless an event was faster. */
export async function expireWait(
  tx: Transaction,
  wait: WaitKey & { readonly now: string },
): Promise<void> {
  await tx.run(expireOpen, wait);
}

const markRead = statement<WaitKey>()((db, p) =>
  db
    .updateTable("flow_run_waits")
    .set({ unread_since: null })
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("key", "=", p.key),
);

/** Its run knows how it ended, and need not be woken for it. */
export async function markWaitRead(tx: Transaction, key: WaitKey): Promise<void> {
  await tx.run(markRead, key);
}

interface RunCount {
  readonly flow_run_id: string;
  readonly limit: number;
}

const countOfRun = statement<RunCount>()((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom("flow_run_waits")
        .select("flow_run_id")
        .where("workspace_id", "=", p.workspace_id)
        .where("flow_run_id", "=", p.flow_run_id)
        .where("outcome", "is", null)
        .limit(p.limit)
        .as("of_run"),
    )
    .select((e) => e.fn.countAll<number>().as("count")),
);

/** How many waits of a run are open, not counted beyond the limit. */
export async function countOpenWaitsOfRun(tx: Transaction, request: RunCount): Promise<number> {
  return Number((await tx.get(countOfRun, request))?.count ?? 0);
}

type EventCount = WaitLookup & { readonly limit: number };

const countForEvents = statement<EventCount>()((db, p) =>
  db.selectNoFrom((e) => [
    e
      .selectFrom(
        e
          .selectFrom("flow_run_waits")
          .select("key")
          .where("workspace_id", "=", p.workspace_id)
          .where("lookup_name", "is not", null)
          .limit(p.limit)
          .as("of_workspace"),
      )
      .select((c) => c.fn.countAll<number>().as("count"))
      .as("of_workspace"),
    e
      .selectFrom(
        e
          .selectFrom("flow_run_waits")
          .select("key")
          .where("workspace_id", "=", p.workspace_id)
          .where("lookup_name", "is not", null)
          .where("lookup_name", "=", p.lookup_name)
          .where("anchor", "=", p.anchor)
          .limit(p.limit)
          .as("alike"),
      )
      .select((c) => c.fn.countAll<number>().as("count"))
      .as("alike"),
  ]),
);

/**
 * How many open waits for events a workspace has, and how many are compared with the same events;
 * not counted beyond the limit.
 */
export async function countOpenWaitsForEvents(
  tx: Transaction,
  { lookup_name, anchor, limit }: EventCount,
): Promise<{ readonly ofWorkspace: number; readonly alike: number }> {
  const found = await tx.get(countForEvents, { lookup_name, anchor, limit });
  return { ofWorkspace: Number(found?.of_workspace ?? 0), alike: Number(found?.alike ?? 0) };
}
