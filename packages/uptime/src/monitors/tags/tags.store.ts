import type { Queries } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";

const distinctTags = statement()((db, p) =>
  db.selectFrom("monitors").select("tags").distinct().where("workspace_id", "=", p.workspace_id),
);

/** Every tag that a monitor has, each once, in order. */
export async function listTags(queries: Queries): Promise<string[]> {
  const rows = await queries.all(distinctTags, {});
  const tags = rows.flatMap((row) => JSON.parse(row.tags) as readonly string[]);
  return [...new Set(tags)].sort();
}
