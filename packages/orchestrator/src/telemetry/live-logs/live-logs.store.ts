import { type Database, recordSql } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { LOGS } from "../../db/tables/logs.table.ts";
import { systemStatement } from "../../db/tables.ts";
import type { MatchableLine } from "./log-match.rules.ts";

export interface ArrivedLine {
  readonly id: string;
  readonly created: string;
}

const selectArrived = systemStatement<ArrivedLine & { limit: number }>()((db, p) =>
  db
    .selectFrom("logs")
    .select(["id", "created"])
    .where(sql<boolean>`(created, id) > (${p.created}, ${p.id})`)
    .orderBy("created")
    .orderBy("id")
    .limit(p.limit),
);

/** The lines that arrived behind a place, oldest first; the index alone answers that. */
export async function findArrived(
  db: Database,
  { id, created }: ArrivedLine,
  limit: number,
): Promise<ArrivedLine[]> {
  return db.system.all(selectArrived, { id, created, limit });
}

export interface LiveLogLine extends MatchableLine {
  readonly workspace_id: string;
  /** The whole line, as it goes over the wire. */
  readonly json: string;
}

const LINE = [
  "logs.workspace_id",
  "logs.name",
  "logs.level",
  "logs.message",
  "logs.timestamp",
  "logs.flow_run_id",
  "logs.task_run_id",
] as const;

const selectLines = systemStatement<{ lines: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect.rowsFrom({ id: "id", created: "time" }, p.lines).$castTo<ArrivedLine>().as("arrived"),
    )
    .innerJoin("logs", (join) =>
      join.onRef("logs.created", "=", "arrived.created").onRef("logs.id", "=", "arrived.id"),
    )
    .select([...LINE, recordSql(dialect, { fields: LOGS.fields, table: "logs" }).as("json")])
    .orderBy("logs.created")
    .orderBy("logs.id"),
);

/** The lines themselves, in the order they arrived. */
export async function readLiveLines(
  db: Database,
  lines: readonly ArrivedLine[],
): Promise<LiveLogLine[]> {
  const wanted = lines.map(({ id, created }) => ({ id, created }));
  return db.system.all(selectLines, { lines: JSON.stringify(wanted) });
}

/** Lines have one where writers commit one after another. */
const POSITION = sql.ref<number>("logs.position");

const selectBehind = systemStatement<{ last: number; limit: number }>()((db, p, dialect) =>
  db
    .selectFrom("logs")
    .select([
      ...LINE,
      POSITION.as("position"),
      recordSql(dialect, { fields: LOGS.fields, table: "logs" }).as("json"),
    ])
    .where(POSITION, ">", p.last)
    .orderBy(POSITION)
    .limit(p.limit),
);

/** The lines behind a position, in the order they arrived. */
export async function readLinesBehind(
  db: Database,
  last: number,
  limit: number,
): Promise<(LiveLogLine & { readonly position: number })[]> {
  return db.system.all(selectBehind, { last, limit });
}

const selectLast = systemStatement()((db) =>
  db.selectFrom("logs").select((e) => e.fn.max<number | null>(POSITION).as("position")),
);

/** The position of the newest line; 0 when there is none. */
export async function findLastPosition(db: Database): Promise<number> {
  return (await db.system.get(selectLast, {}))?.position ?? 0;
}
