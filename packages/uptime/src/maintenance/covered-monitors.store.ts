import { arraySql, type Queries, recordText } from "@orchestrator/kernel/storage";
import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";

export interface CoveredMonitors {
  readonly count: number;
  /** The first of them. */
  readonly monitors: readonly { readonly id: string; readonly name: string }[];
}

/**
 * The monitors that a window is for at present, the oldest first; of many only as many as are asked
 * for.
 */
export async function findCovered(
  queries: Queries,
  { monitor_ids, tags, all_monitors }: MaintenanceRow,
  limit: number,
): Promise<CoveredMonitors> {
  const { dialect } = queries;
  const values: unknown[] = [];
  const bind = (value: unknown): string => dialect.parameter(values.push(value));
  const list = (json: string): string => bind(dialect.list(JSON.parse(json) as unknown[]));
  const inWorkspace = `workspace_id = ${bind(queries.workspaceId)}`;
  const isCovered = all_monitors
    ? ""
    : ` and (${dialect.isOneOf("id", "id", list(monitor_ids))} or ${dialect.hasAnyTag("tags", list(tags))})`;
  const where = `${inWorkspace}${isCovered}`;
  const [row, page] = await Promise.all([
    queries.select<{ count: number }>({
      sql: `select count(*) as count from monitors where ${where}`,
      values: [...values],
    }),
    queries.select<{ json: string }>({
      sql: monitorsSql(queries, where, bind(limit)),
      values,
    }),
  ]);
  return {
    count: row?.count ?? 0,
    monitors: JSON.parse(page?.json ?? "[]") as CoveredMonitors["monitors"],
  };
}

function monitorsSql({ dialect }: Queries, where: string, limit: string): string {
  const record = recordText(dialect, { fields: { id: "id", name: "text" }, table: "monitors" });
  const rows = `select ${record} as record from monitors where ${where} order by created_at, id limit ${limit}`;
  return arraySql(dialect, rows);
}
