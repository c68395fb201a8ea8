// Leases say which of several replicas does a thing. A lease is a row with a holder, an expiry on
// the database's clock, and a token that grows each time the lease changes hands.

import { sql } from "kysely";
import type { Database, SystemTransaction } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";

/** Nudged when leases are given back, so that whoever stands by need not wait for its next look. */
export const LEASES_TOPIC = "leases";

export interface LeasesRequest {
  readonly names: readonly string[];
  readonly holder: string;
  readonly ttl_seconds: number;
}

/**
 * All at once: a replica has some twenty of them to renew, every few seconds. In the order of their
 * names, in which they are given back too, so that no two replicas wait for each other.
 */
const takeOrRenew = systemStatement<Omit<LeasesRequest, "names"> & { names: string }>()(
  (db, p, dialect) =>
    db
      .insertInto("leases")
      .columns(["name", "holder", "token", "expires"])
      .expression((e) =>
        e
          .selectFrom(
            dialect.rowsFrom({ name: "text" }, p.names).$castTo<{ name: string }>().as("wanted"),
          )
          .select([
            "wanted.name",
            e.cast<string>(e.val(p.holder), "text").as("holder"),
            sql.lit(1).as("token"),
            dialect.nowPlusSeconds(p.ttl_seconds).as("expires"),
          ])
          .orderBy("wanted.name"),
      )
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet((e) => ({
            holder: e.ref("excluded.holder"),
            expires: e.ref("excluded.expires"),
            token: sql<number>`leases.token + case when leases.holder = excluded.holder then 0 else 1 end`,
          }))
          .where((e) =>
            e.or([
              e("leases.holder", "=", e.ref("excluded.holder")),
              e("leases.expires", "<", sql<string>`${sql.raw(dialect.now)}`),
            ]),
          ),
      )
      .returning(["name", "token"]),
);

const LONG_AGO = "0001-01-01T00:00:00.000000Z";

/** The row stays, so that the token goes on growing. */
const release = systemStatement<{ holder: string }>()((db, p, dialect) =>
  db
    .updateTable("leases")
    .set({ expires: LONG_AGO })
    .where("name", "in", (e) =>
      e
        .selectFrom("leases as held")
        .select("held.name")
        .where("held.holder", "=", p.holder)
        .orderBy("held.name")
        .$if(dialect.locksRows, (query) => query.forUpdate()),
    ),
);

const selectHeld = systemStatement<{ name: string; holder: string }>()((db, p, dialect) =>
  db
    .selectFrom("leases")
    .select("token")
    .where("name", "=", p.name)
    .where("holder", "=", p.holder)
    .where("expires", ">", sql<string>`${sql.raw(dialect.now)}`)
    .$if(dialect.locksRows, (query) => query.forShare()),
);

/** Those of the leases that `holder` has now, with their tokens. */
export async function takeLeases(
  tx: SystemTransaction,
  { names, ...request }: LeasesRequest,
): Promise<ReadonlyMap<string, number>> {
  const wanted = JSON.stringify(names.map((name) => ({ name })));
  const taken = await tx.all(takeOrRenew, { ...request, names: wanted });
  return new Map(taken.map(({ name, token }) => [name, token]));
}

export async function releaseLeases(db: Database, holder: string): Promise<void> {
  await db.writeSystem(async (tx) => {
    await tx.run(release, { holder });
    tx.notify(LEASES_TOPIC);
  });
}

/**
 * For a write that must not happen once the lease has passed to another: throws inside its
 * transaction.
 */
export async function assertLease(
  tx: SystemTransaction,
  lease: { name: string; holder: string },
): Promise<void> {
  const row = await tx.get(selectHeld, lease);
  if (row === undefined) throw new Error(`The lease ${lease.name} has passed to another replica`);
}
