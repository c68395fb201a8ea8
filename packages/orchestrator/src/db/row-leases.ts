// Rows that one of several replicas takes in hand for a while. `claim` says whose they are, and
// `held_until` for how long, on the database's clock: replicas whose clocks differ agree on it, so
// that none takes what another still has in hand.

import type { Dialect } from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";

/** Condition: nobody has the row, or nobody who can still be at it. */
export const isLeaseFree = (dialect: Dialect): RawBuilder<boolean> =>
  sql<boolean>`(held_until is null or held_until <= ${sql.raw(dialect.now)})`;

/** The end of a hold that begins now. */
export const leaseEnd = (dialect: Dialect, seconds: number): RawBuilder<string> =>
  dialect.nowPlusSeconds(seconds);
