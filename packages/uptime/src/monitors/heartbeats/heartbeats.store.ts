import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { HeartbeatRow } from "../../db/tables/heartbeats.table.ts";
import { statement } from "../../db/tables.ts";

interface Awaited {
  readonly monitor_id: string;
  readonly token: string;
  readonly awaited_since: string;
}

const insert = statement<Awaited>()((db, p) =>
  db
    .insertInto("heartbeats")
    .values({
      workspace_id: p.workspace_id,
      monitor_id: p.monitor_id,
      token: p.token,
      awaited_since: p.awaited_since,
      has_failed: false,
    })
    .onConflict((conflict) => conflict.column("monitor_id").doUpdateSet({ token: p.token })),
);

/** Awaits the calls of a monitor, by this token from now on; what was heard before stays. */
export async function awaitHeartbeat(tx: Transaction, awaited: Awaited): Promise<void> {
  await tx.run(insert, awaited);
}

const restart = statement<{ monitor_id: string; awaited_since: string }>()((db, p) =>
  db
    .updateTable("heartbeats")
    .set({ awaited_since: p.awaited_since })
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id),
);

/** Silence counts from this moment on. */
export async function restartHeartbeat(
  tx: Transaction,
  awaited: { readonly monitor_id: string; readonly awaited_since: string },
): Promise<void> {
  await tx.run(restart, awaited);
}

const deleteHeartbeatRow = statement<{ monitor_id: string }>()((db, p) =>
  db
    .deleteFrom("heartbeats")
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id),
);

export async function removeHeartbeat(tx: Transaction, monitor_id: string): Promise<void> {
  await tx.run(deleteHeartbeatRow, { monitor_id });
}

const record = statement<{ token: string; last_call_at: string; has_failed: boolean }>()((db, p) =>
  db
    .updateTable("heartbeats")
    .set({ last_call_at: p.last_call_at, has_failed: p.has_failed })
    .where("workspace_id", "=", p.workspace_id)
    .where("token", "=", p.token),
);

export async function recordCall(
  tx: Transaction,
  call: { readonly token: string; readonly last_call_at: string; readonly has_failed: boolean },
): Promise<void> {
  await tx.run(record, call);
}

const byToken = statement<{ token: string }>()((db, p) =>
  db
    .selectFrom("heartbeats")
    .select("monitor_id")
    .where("workspace_id", "=", p.workspace_id)
    .where("token", "=", p.token)
    .limit(sql.lit(1)),
);

/** Whether anybody awaits calls with this token. */
export async function isAwaited(queries: Queries, token: string): Promise<boolean> {
  return (await queries.get(byToken, { token })) !== undefined;
}

const byMonitor = statement<{ monitor_id: string }>()((db, p) =>
  db
    .selectFrom("heartbeats")
    .select(["monitor_id", "token", "awaited_since", "last_call_at", "has_failed"])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id),
);

export async function findHeartbeat(
  queries: Queries,
  monitor_id: string,
): Promise<HeartbeatRow | null> {
  return (await queries.get(byMonitor, { monitor_id })) ?? null;
}
