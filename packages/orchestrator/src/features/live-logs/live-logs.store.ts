import { type Database, recordSql } from "@orchestrator/kernel";
import { sql } from "kysely";
import { systemStatement } from "../../db/tables.ts";
import { LOG_FIELDS } from "../logs/logs.table.ts";
import type { JudgedLine } from "./log-match.rules.ts";

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

export interface LiveLine extends JudgedLine {
  readonly workspace_id: string;
  /** The whole line, as it goes over the wire. */
  readonly json: string;
}

const selectLines = systemStatement<{ lines: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect.rowsFrom({ id: "id", created: "time" }, p.lines).$castTo<ArrivedLine>().as("arrived"),
    )
    .innerJoin("logs", (join) =>
      join.onRef("logs.created", "=", "arrived.created").onRef("logs.id", "=", "arrived.id"),
    )
    .select([
      "logs.workspace_id",
      "logs.name",
      "logs.level",
      "logs.message",
      "logs.timestamp",
      "logs.flow_run_id",
      "logs.task_run_id",
      recordSql(dialect, { fields: LOG_FIELDS, table: "logs" }).as("json"),
    ])
    .orderBy("logs.created")
    .orderBy("logs.id"),
);

/** The lines themselves, in the order they arrived. */
export async function readLines(db: Database, lines: readonly ArrivedLine[]): Promise<LiveLine[]> {
  const wanted = lines.map(({ id, created }) => ({ id, created }));
  return db.system.all(selectLines, { lines: JSON.stringify(wanted) });
}
