import {
  type Database,
  type SystemTransaction,
  type Transaction,
  unclaimed,
} from "@orchestrator/kernel/storage";
import { isLeaseFree, leaseEnd } from "../../db/row-leases.ts";
import { DELIVERIES, type DeliveryRow } from "../../db/tables/deliveries.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";

const insert = statement<DeliveryRow>()((db, p) =>
  db.insertInto("deliveries").values(DELIVERIES.values(p)),
);

export async function insertDelivery(tx: Transaction, row: DeliveryRow): Promise<void> {
  await tx.run(insert, row);
}

const selectDue = systemStatement<{ now: string }>()((db, p, dialect) =>
  db
    .selectFrom("deliveries")
    .select("id")
    .where("next_attempt", "<=", p.now)
    .where(isLeaseFree(dialect))
    .limit(1),
);

/** Mostly there is none, and to see that costs next to nothing. */
export async function hasDueDeliveries({ system }: Database, now: string): Promise<boolean> {
  return (await system.get(selectDue, { now })) !== undefined;
}

/**
 * When a server dies with messages in its hands, others take them after this; longer than any
 * attempt takes.
 */
const HELD_SECONDS = 60;

interface Claim {
  readonly now: string;
  readonly claim: string;
  readonly limit: number;
}

const claimDue = systemStatement<Claim>()((db, p, dialect) =>
  db
    .updateTable("deliveries")
    .set((e) => ({
      claim: p.claim,
      held_until: leaseEnd(dialect, HELD_SECONDS),
      last_attempt: p.now,
      attempts: e("attempts", "+", 1),
    }))
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("deliveries")
          .select("id")
          .where("next_attempt", "<=", p.now)
          .where(isLeaseFree(dialect))
          .orderBy("next_attempt")
          .orderBy("id")
          .limit(p.limit),
        dialect,
      ),
    )
    .returning([
      "id",
      "workspace_id",
      "created",
      "action_type",
      "action_index",
      "block_document_id",
      "block_document_name",
      "block_type_slug",
      "parts",
      "attempts",
      "destination",
      "give_up",
      "content",
      "firing",
      "follows",
    ]),
);

export type ClaimedDelivery = Pick<
  DeliveryRow,
  | "id"
  | "created"
  | "action_type"
  | "action_index"
  | "block_document_id"
  | "block_document_name"
  | "block_type_slug"
  | "parts"
  | "attempts"
  | "destination"
  | "give_up"
  | "content"
  | "firing"
  | "follows"
> & { readonly workspace_id: string };

/** Takes messages that are due and that nobody has in hand; for a while nobody else takes them. */
export async function claimDeliveries(
  tx: SystemTransaction,
  claim: Claim,
): Promise<ClaimedDelivery[]> {
  return tx.all(claimDue, claim);
}

interface Owned {
  readonly id: string;
  readonly claim: string;
}

type Progress = Owned & Pick<DeliveryRow, "parts" | "destination">;

const saveProgress = statement<Progress>()((db, p, dialect) =>
  db
    .updateTable("deliveries")
    .set({
      parts: p.parts,
      destination: p.destination,
      held_until: leaseEnd(dialect, HELD_SECONDS),
    })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("claim", "=", p.claim),
);

/** Notes who has it by now and prolongs the claim; false when somebody else has taken it over. */
export async function recordDeliveryProgress(
  tx: Transaction,
  progress: Progress,
): Promise<boolean> {
  return (await tx.run(saveProgress, progress)) === 1;
}

type Placed = Owned & Pick<DeliveryRow, "parts" | "content">;

const savePlaces = statement<Placed>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ parts: p.parts, content: p.content })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("claim", "=", p.claim)
    .where("content", "is not", null),
);

/** Notes whose the parts are; false when somebody else has taken it over, or it was dropped. */
export async function recordPlaces(tx: Transaction, placed: Placed): Promise<boolean> {
  return (await tx.run(savePlaces, placed)) === 1;
}

type Ended = Owned &
  Pick<
    DeliveryRow,
    | "updated"
    | "status"
    | "parts"
    | "destination"
    | "status_code"
    | "last_error"
    | "next_attempt"
    | "settled"
    | "content"
  >;

const ending = (isFinal: boolean) =>
  statement<Ended>()((db, p) => {
    const update = db
      .updateTable("deliveries")
      .set({
        updated: p.updated,
        status: p.status,
        parts: p.parts,
        destination: p.destination,
        status_code: p.status_code,
        last_error: p.last_error,
        next_attempt: p.next_attempt,
        settled: p.settled,
        content: p.content,
        claim: null,
        held_until: null,
      })
      .where("workspace_id", "=", p.workspace_id)
      .where("id", "=", p.id)
      .where("claim", "=", p.claim);
    return isFinal ? update : update.where("content", "is not", null);
  });
const settle = ending(true);
const wait = ending(false);

/**
 * Tells whether the attempt was still the claimant's to end. What was dropped meanwhile cannot wait
 * for another one.
 */
export async function endAttempt(tx: Transaction, ended: Ended): Promise<boolean> {
  return (await tx.run(ended.settled === null ? wait : settle, ended)) === 1;
}

interface Postponed {
  readonly block_document_id: string;
  readonly now: string;
  readonly until: string;
  readonly limit: number;
}

const postpone = statement<Postponed>()((db, p, dialect) =>
  db
    .updateTable("deliveries")
    .set({ next_attempt: p.until })
    .where("workspace_id", "=", p.workspace_id)
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("deliveries")
          .select("id")
          .where("workspace_id", "=", p.workspace_id)
          .where("block_document_id", "=", p.block_document_id)
          .where("next_attempt", "<=", p.now)
          .where("claim", "is", null)
          .where("content", "is not", null)
          .limit(p.limit),
        dialect,
      ),
    ),
);

/**
 * What else waits for a destination that does not answer need not be tried before that; only so
 * much is written at once.
 */
export async function postponeOthers(tx: Transaction, postponed: Postponed): Promise<void> {
  await tx.run(postpone, postponed);
}

const removeSettled = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db
    .deleteFrom("deliveries")
    .where(
      "id",
      "in",
      db
        .selectFrom("deliveries")
        .select("id")
        .where("settled", "<", p.before)
        .orderBy("settled")
        .limit(p.limit),
    ),
);

/** Deletes some of those that were settled long ago, and tells how many. */
export async function removeSettledDeliveries(
  tx: SystemTransaction,
  page: { readonly before: string; readonly limit: number },
): Promise<number> {
  return tx.run(removeSettled, page);
}
