import type { Queries } from "@orchestrator/kernel/storage";
import { statement } from "../../../db/tables.ts";

interface NamedValue {
  readonly name: string;
  /** JSON */
  readonly value: string;
}

const after = statement<{ name: string; limit: number }>()((db, p) =>
  db
    .selectFrom("variables")
    .select(["name", "value"])
    .where("workspace_id", "=", p.workspace_id)
    .where("name", ">", p.name)
    .orderBy("name")
    .limit(p.limit),
);

/** The next ones by name. */
export function findVariablesAfter(
  queries: Queries,
  page: { readonly name: string; readonly limit: number },
): Promise<NamedValue[]> {
  return queries.all(after, page);
}
