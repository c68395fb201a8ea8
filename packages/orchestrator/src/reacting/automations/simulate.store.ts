import type { Database, Queries } from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import { statement, systemStatement } from "../../db/tables.ts";

/** As much of an event as is needed to know whether the rest is. */
export interface EventHeader {
  readonly position: number;
  readonly id: string;
  readonly event: string;
  readonly received: string;
  readonly size: number;
}

interface Stretch {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Nearly every event is of the workspace: they are to be found by their positions. */
const isOfWorkspace = (dialect: Queries["dialect"], workspaceId: unknown): RawBuilder<boolean> =>
  dialect.likely(sql`e.workspace_id = ${workspaceId}`);

const selectHeaders = statement<Stretch>()((db, p, dialect) =>
  db
    .selectFrom(sql<Omit<EventHeader, "size"> & { body: string }>`events`.as("e"))
    .select([
      "e.position",
      "e.id",
      "e.event",
      "e.received",
      sql<number>`length(cast(e.body as text))`.as("size"),
    ])
    .where(isOfWorkspace(dialect, p.workspace_id))
    .where("e.position", ">", p.after)
    .where("e.position", "<=", p.upTo)
    .orderBy("e.position")
    .limit(p.limit),
);

/** The next events of a stretch of the log, in order. */
export function readHeaders(queries: Queries, stretch: Stretch): Promise<EventHeader[]> {
  return queries.all(selectHeaders, stretch);
}

interface Page {
  readonly after: number;
  readonly upTo: number;
  readonly offset: number;
}

const selectPageEnd = systemStatement<Page>()((db, p) =>
  db
    .selectFrom(sql<{ position: number }>`events`.as("e"))
    .select("e.position")
    .where("e.position", ">", p.after)
    .where("e.position", "<=", p.upTo)
    .orderBy("e.position")
    .limit(1)
    .offset(p.offset),
);

/**
 * How far so many events reach, of whichever workspace they are; to the end of the stretch where
 * there are not as many.
 */
export async function findPageEnd({ system }: Database, page: Page): Promise<number> {
  return (await system.get(selectPageEnd, page))?.position ?? page.upTo;
}

interface EventText {
  readonly position: number;
  readonly occurred: string;
  readonly resource_id: string;
  readonly body: string;
}

const selectTexts = statement<{ positions: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ position: "integer" }, p.positions)
        .$castTo<{ position: number }>()
        .as("wanted"),
    )
    .innerJoin(sql<EventText>`events`.as("e"), (join) =>
      join.onRef("e.position", "=", "wanted.position"),
    )
    .select(["e.position", "e.occurred", "e.resource_id", "e.body"])
    .where(isOfWorkspace(dialect, p.workspace_id)),
);

/** The whole of some events. */
export async function readTexts(
  queries: Queries,
  positions: readonly number[],
): Promise<EventText[]> {
  if (positions.length === 0) return [];
  const rows = positions.map((position) => ({ position }));
  return queries.all(selectTexts, { positions: JSON.stringify(rows) });
}
