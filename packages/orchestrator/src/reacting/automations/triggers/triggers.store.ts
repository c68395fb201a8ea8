import type { Queries, SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type {
  AutomationBucketRow,
  AutomationChildFiringRow,
  AutomationRow,
} from "../../../db/tables/automations.table.ts";
import { statement, systemStatement } from "../../../db/tables.ts";

const CATALOGUE = "automations";

const holdRevision = systemStatement()((db, _p, dialect) =>
  db
    .selectFrom("automation_catalogue")
    .select("revision")
    .where("name", "=", CATALOGUE)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/**
 * With which revision automations last changed. Until the transaction ends nobody changes or
 * evaluates them.
 */
export async function lockAutomationCatalog(tx: SystemTransaction): Promise<number> {
  return (await tx.get(holdRevision, {}))?.revision ?? 0;
}

const selectRevision = systemStatement()((db) =>
  db.selectFrom("automation_catalogue").select("revision").where("name", "=", CATALOGUE),
);

/** The same, as it was last committed. */
export async function readAutomationRevision(
  queries: Pick<SystemTransaction, "get">,
): Promise<number> {
  return (await queries.get(selectRevision, {}))?.revision ?? 0;
}

const selectChanged = systemStatement<{ after: number }>()((db, p) =>
  db
    .selectFrom("automation_revisions as changed")
    .leftJoin("automations as automation", "automation.id", "changed.automation_id")
    .select([
      "changed.automation_id",
      "changed.workspace_id",
      "automation.name",
      "automation.description",
      "automation.enabled",
      "automation.tags",
      "automation.trigger",
      "automation.actions",
      "automation.actions_on_trigger",
    ])
    .where("changed.revision", ">", p.after),
);

const selectAll = systemStatement()((db) =>
  db
    .selectFrom("automations")
    .select([
      "id as automation_id",
      "workspace_id",
      "name",
      "description",
      "enabled",
      "tags",
      "trigger",
      "actions",
      "actions_on_trigger",
    ]),
);

type Changed = { readonly automation_id: string; readonly workspace_id: string } & {
  readonly [Column in
    | "name"
    | "description"
    | "enabled"
    | "tags"
    | "trigger"
    | "actions"
    | "actions_on_trigger"]: AutomationRow[Column] | null;
};

/** What has changed since a revision; of what is deleted since then only the id is left. */
export function readChanged(
  queries: Pick<SystemTransaction, "all">,
  after: number,
): Promise<Changed[]> {
  // Whoever knows nothing yet need not hear of what was deleted, which is ever more.
  return after === 0 ? queries.all(selectAll, {}) : queries.all(selectChanged, { after });
}

type BucketRow = Omit<AutomationBucketRow, "due" | "automation_id">;

const selectBuckets = systemStatement<{ addresses: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ trigger_id: "id", key_hash: "text" }, p.addresses)
        .$castTo<{ trigger_id: string; key_hash: string }>()
        .as("wanted"),
    )
    .innerJoin("automation_buckets as bucket", (join) =>
      join
        .onRef("bucket.trigger_id", "=", "wanted.trigger_id")
        .onRef("bucket.key_hash", "=", "wanted.key_hash"),
    )
    .select([
      "bucket.trigger_id",
      "bucket.key_hash",
      "bucket.labels",
      "bucket.starts",
      "bucket.ends",
      "bucket.count",
      "bucket.last_event",
      "bucket.held",
    ]),
);

export async function readBuckets(
  tx: SystemTransaction,
  addresses: readonly { readonly trigger_id: string; readonly key_hash: string }[],
): Promise<BucketRow[]> {
  if (addresses.length === 0) return [];
  return tx.all(selectBuckets, { addresses: JSON.stringify(addresses) });
}

const selectDue = systemStatement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("automation_buckets")
    .select(["trigger_id", "key_hash", "labels", "starts", "ends", "count", "last_event", "held"])
    .where("due", "is not", null)
    .where("due", "<=", p.now)
    .orderBy("due")
    .orderBy("trigger_id")
    .orderBy("key_hash")
    .limit(p.limit),
);

export function readDueBuckets(
  queries: Pick<SystemTransaction, "all">,
  look: { readonly now: string; readonly limit: number },
): Promise<BucketRow[]> {
  return queries.all(selectDue, look);
}

const upsertBucket = statement<AutomationBucketRow>()((db, p) =>
  db
    .insertInto("automation_buckets")
    .values({
      workspace_id: p.workspace_id,
      automation_id: p.automation_id,
      trigger_id: p.trigger_id,
      key_hash: p.key_hash,
      labels: p.labels,
      starts: p.starts,
      ends: p.ends,
      count: p.count,
      last_event: p.last_event,
      held: p.held,
      due: p.due,
    })
    .onConflict((conflict) =>
      conflict.columns(["trigger_id", "key_hash"]).doUpdateSet({
        starts: sql<string>`excluded.starts`,
        ends: sql<string>`excluded.ends`,
        count: sql<number>`excluded.count`,
        last_event: sql<string | null>`excluded.last_event`,
        held: sql<string | null>`excluded.held`,
        due: sql<string | null>`excluded.due`,
      }),
    ),
);

export async function putBucket(tx: Transaction, row: AutomationBucketRow): Promise<void> {
  await tx.run(upsertBucket, row);
}

const deleteBucket = systemStatement<{ trigger_id: string; key_hash: string }>()((db, p) =>
  db
    .deleteFrom("automation_buckets")
    .where("trigger_id", "=", p.trigger_id)
    .where("key_hash", "=", p.key_hash),
);

export async function removeBucket(
  tx: SystemTransaction,
  address: { readonly trigger_id: string; readonly key_hash: string },
): Promise<void> {
  await tx.run(deleteBucket, address);
}

const deleteBuckets = statement<{ automation_id: string }>()((db, p) =>
  db
    .deleteFrom("automation_buckets")
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id),
);

const deleteChildren = statement<{ automation_id: string }>()((db, p) =>
  db
    .deleteFrom("automation_child_firings")
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id),
);

/** Forgets all that the triggers of an automation have counted. */
export async function removeProgress(tx: Transaction, automation_id: string): Promise<void> {
  await tx.run(deleteBuckets, { automation_id });
  await tx.run(deleteChildren, { automation_id });
}

const park = statement<{ automation_id: string }>()((db, p) =>
  db
    .updateTable("automation_buckets")
    .set({ due: null })
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id),
);

/** Nobody looks at the buckets of an automation that is switched off. */
export async function parkBuckets(tx: Transaction, automation_id: string): Promise<void> {
  await tx.run(park, { automation_id });
}

const deleteEnded = statement<{ automation_id: string; now: string }>()((db, p) =>
  db
    .deleteFrom("automation_buckets")
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id)
    .where("ends", "<=", p.now),
);

const wake = statement<{ automation_id: string }>()((db, p) =>
  db
    .updateTable("automation_buckets")
    .set({ due: sql<string>`ends` })
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id),
);

/** Looked at again, except for windows that have ended while nobody watched. */
export async function wakeBuckets(
  tx: Transaction,
  which: { readonly automation_id: string; readonly now: string },
): Promise<void> {
  await tx.run(deleteEnded, which);
  await tx.run(wake, which);
}

const selectTriggers = statement<{ automation_id: string }>()((db, p) =>
  db
    .selectFrom("automation_buckets")
    .select("trigger_id")
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id)
    .distinct(),
);

/** The triggers of an automation that have counted anything. */
export async function triggersWithBuckets(
  queries: Queries,
  automation_id: string,
): Promise<Set<string>> {
  const rows = await queries.all(selectTriggers, { automation_id });
  return new Set(rows.map(({ trigger_id }) => trigger_id));
}

const selectChildren = systemStatement<{ automations: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ automation_id: "id" }, p.automations)
        .$castTo<{ automation_id: string }>()
        .as("wanted"),
    )
    .innerJoin("automation_child_firings as child", "child.automation_id", "wanted.automation_id")
    .select(["child.parent_id", "child.child_id", "child.fired", "child.position", "child.firing"]),
);

export async function readChildren(
  tx: SystemTransaction,
  automationIds: readonly string[],
): Promise<Omit<AutomationChildFiringRow, "automation_id">[]> {
  if (automationIds.length === 0) return [];
  const automations = JSON.stringify(automationIds.map((automation_id) => ({ automation_id })));
  return tx.all(selectChildren, { automations });
}

const deleteChildrenOf = statement<{ parent_id: string }>()((db, p) =>
  db
    .deleteFrom("automation_child_firings")
    .where("workspace_id", "=", p.workspace_id)
    .where("parent_id", "=", p.parent_id),
);

const insertChild = statement<AutomationChildFiringRow>()((db, p) =>
  db.insertInto("automation_child_firings").values({
    workspace_id: p.workspace_id,
    automation_id: p.automation_id,
    parent_id: p.parent_id,
    child_id: p.child_id,
    fired: p.fired,
    position: p.position,
    firing: p.firing,
  }),
);

/** What a trigger remembers of those within it, all anew. */
export async function replaceChildren(
  tx: Transaction,
  parent_id: string,
  rows: readonly AutomationChildFiringRow[],
): Promise<void> {
  await tx.run(deleteChildrenOf, { parent_id });
  for (const row of rows) await tx.run(insertChild, row);
}
