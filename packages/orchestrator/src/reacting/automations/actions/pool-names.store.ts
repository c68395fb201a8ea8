import type { Queries } from "@orchestrator/kernel/storage";
import { statement } from "../../../db/tables.ts";

const selectName = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("work_pools")
    .select("name")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findPoolName(queries: Queries, id: string): Promise<string | null> {
  return (await queries.get(selectName, { id }))?.name ?? null;
}
