import { formatMicros, parseMicros } from "../clock/timestamp.ts";
import type { SystemQueries, SystemTransaction } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";
import { arrangeGaps, type Heard, type HearingGap } from "./gaps.rules.ts";

/** A server that fails so often is not judged by more of them. */
const MOST_GAPS = 1000;

interface Row {
  readonly service: string;
  readonly heard: string;
  readonly since: string;
}

const selectHeard = systemStatement<{ service: string }>()((db, p) =>
  db.selectFrom("hearing").select(["heard", "since"]).where("service", "=", p.service),
);

const lockHeard = systemStatement<{ service: string }>()((db, p, dialect) =>
  db
    .selectFrom("hearing")
    .select(["heard", "since"])
    .where("service", "=", p.service)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

const heardOf = (row: Omit<Row, "service"> | undefined): Heard | null =>
  row === undefined ? null : { heard: parseMicros(row.heard), since: parseMicros(row.since) };

export async function findHeard(queries: SystemQueries, service: string): Promise<Heard | null> {
  return heardOf(await queries.get(selectHeard, { service }));
}

const insertHeard = systemStatement<Row>()((db, p) =>
  db
    .insertInto("hearing")
    .values({ service: p.service, heard: p.heard, since: p.since })
    .onConflict((conflict) => conflict.column("service").doNothing()),
);

/** What is written down of the service, locked; where nothing is, it has heard from now on. */
export async function lockOrCreateHeard(
  tx: SystemTransaction,
  service: string,
  now: number,
): Promise<Heard> {
  const known = heardOf(await tx.get(lockHeard, { service }));
  if (known !== null) return known;
  await tx.run(insertHeard, { service, heard: formatMicros(now), since: formatMicros(now) });
  return heardOf(await tx.get(lockHeard, { service })) ?? { heard: now, since: now };
}

const updateHeard = systemStatement<Row>()((db, p) =>
  db
    .updateTable("hearing")
    .set({ heard: p.heard, since: p.since })
    .where("service", "=", p.service),
);

export async function writeHeard(
  tx: SystemTransaction,
  service: string,
  { heard, since }: Heard,
): Promise<void> {
  await tx.run(updateHeard, { service, heard: formatMicros(heard), since: formatMicros(since) });
}

interface GapRow {
  readonly service: string;
  readonly began: string;
  readonly ended: string;
}

const insertGap = systemStatement<GapRow>()((db, p) =>
  db
    .insertInto("hearing_gaps")
    .values({ service: p.service, began: p.began, ended: p.ended })
    .onConflict((conflict) => conflict.columns(["service", "ended", "began"]).doNothing()),
);

const deleteGapsBefore = systemStatement<{ service: string; before: string }>()((db, p) =>
  db.deleteFrom("hearing_gaps").where("service", "=", p.service).where("ended", "<", p.before),
);

/** Notes a gap, and forgets those before a time. */
export async function addGap(
  tx: SystemTransaction,
  service: string,
  { began, ended, keptFrom }: HearingGap & { readonly keptFrom: number },
): Promise<void> {
  await tx.run(deleteGapsBefore, { service, before: formatMicros(keptFrom) });
  await tx.run(insertGap, { service, began: formatMicros(began), ended: formatMicros(ended) });
}

const deleteGapsAfter = systemStatement<{ service: string; after: string }>()((db, p) =>
  db.deleteFrom("hearing_gaps").where("service", "=", p.service).where("ended", ">", p.after),
);

/** Forgets gaps that end in the future: a clock that has been put right since had jumped. */
export async function dropGapsAfter(
  tx: SystemTransaction,
  service: string,
  now: number,
): Promise<void> {
  await tx.run(deleteGapsAfter, { service, after: formatMicros(now) });
}

const selectGaps = systemStatement<{ service: string; limit: number }>()((db, p) =>
  db
    .selectFrom("hearing_gaps")
    .select(["began", "ended"])
    .where("service", "=", p.service)
    .orderBy("ended", "desc")
    .orderBy("began", "desc")
    .limit(p.limit),
);

/** The last gaps, in order. */
export async function readGaps(queries: Pick<SystemQueries, "all">, service: string) {
  const rows = await queries.all(selectGaps, { service, limit: MOST_GAPS });
  return arrangeGaps(
    rows.map(({ began, ended }) => ({ began: parseMicros(began), ended: parseMicros(ended) })),
  );
}
