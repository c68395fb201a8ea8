import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";

/** The next run of a task that somebody could be given. */
export interface WaitingTaskRun {
  readonly task_key: string;
  readonly id: string;
}

// Looked for task by task, so that it costs the same however many runs of a task wait.
const selectWaiting = statement<{ keys: string; now: string }>()((db, p, dialect) => {
  const deferred = sql.raw(dialect.jsonAt("run.state", "state_details", "deferred"));
  return db
    .selectFrom(
      dialect.rowsFrom({ task_key: "text" }, p.keys).$castTo<{ task_key: string }>().as("wanted"),
    )
    .select("wanted.task_key")
    .select(
      sql<string | null>`(
        select run.id from task_runs run
        left join background_task_offers offer
          on offer.workspace_id = run.workspace_id and offer.task_run_id = run.id and offer.state_id = run.state_id
        where run.workspace_id = ${p.workspace_id} and run.task_key = wanted.task_key
          and run.state_type = 'SCHEDULED' and ${deferred} = 'true'
          and (offer.task_run_id is null or offer.expires <= ${p.now})
        order by run.id limit 1
      )`.as("id"),
    );
});

/** For each of the tasks the background run that waits longest, if any waits; the oldest first. */
export async function findWaiting(
  queries: Queries,
  { keys, now }: { readonly keys: readonly string[]; readonly now: string },
): Promise<WaitingTaskRun[]> {
  const wanted = JSON.stringify(keys.map((task_key) => ({ task_key })));
  const found = await queries.all(selectWaiting, { keys: wanted, now });
  return found
    .flatMap(({ task_key, id }) => (id === null ? [] : [{ task_key, id }]))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

interface Offer {
  readonly task_run_id: string;
  readonly offer_id: string;
  readonly expires: string;
  readonly now: string;
}

const offer = statement<Offer>()((db, p, dialect) =>
  db
    .insertInto("background_task_offers")
    .columns(["task_run_id", "workspace_id", "state_id", "offer_id", "expires"])
    .expression((e) =>
      e
        .selectFrom("task_runs")
        .select(["id", "workspace_id"])
        .select([
          sql<string>`state_id`.as("state_id"),
          sql<string>`cast(${p.offer_id} as ${sql.raw(dialect.types.id)})`.as("offer_id"),
          sql<string>`cast(${p.expires} as text)`.as("expires"),
        ])
        .where("workspace_id", "=", p.workspace_id)
        .where("id", "=", p.task_run_id)
        .where("state_type", "=", sql.lit("SCHEDULED")),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "task_run_id"])
        .doUpdateSet({
          state_id: sql<string>`excluded.state_id`,
          offer_id: sql<string>`excluded.offer_id`,
          expires: sql<string>`excluded.expires`,
        })
        .where((e) =>
          e.or([
            e("background_task_offers.state_id", "<>", sql<string>`excluded.state_id`),
            e("background_task_offers.expires", "<=", p.now),
          ]),
        ),
    ),
);

/** Tells whether the run was still free; nobody else is given it before the offer expires. */
export async function dispatchTaskRun(tx: Transaction, values: Offer): Promise<boolean> {
  return (await tx.run(offer, values)) === 1;
}

const settle = statement<{ offer_id: string; task_run_id: string; expires: string | null }>()(
  (db, p) =>
    db
      .updateTable("background_task_offers")
      .set({ expires: p.expires })
      .where("workspace_id", "=", p.workspace_id)
      .where("task_run_id", "=", p.task_run_id)
      .where("offer_id", "=", p.offer_id),
);

/** Accepted for good (null), or free again from a moment on. */
export async function settleDispatch(
  tx: Transaction,
  values: {
    readonly offer_id: string;
    readonly task_run_id: string;
    readonly expires: string | null;
  },
): Promise<void> {
  await tx.run(settle, values);
}
