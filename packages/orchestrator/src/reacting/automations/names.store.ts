// What automations name by its name instead of its id.

import type { Queries } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";

/** Two are enough to say that a name is ambiguous. */
const FEW = 2;

interface Named {
  readonly name: string;
  /** The flow of a deployment, or the slug of a block's type. */
  readonly group: string;
}

const deployments = (isGrouped: boolean) =>
  statement<Named>()((db, p) =>
    db
      .selectFrom("deployments")
      .innerJoin("flows", "flows.id", "deployments.flow_id")
      .select("deployments.id")
      .where("deployments.workspace_id", "=", p.workspace_id)
      .where("deployments.name", "=", p.name)
      .$if(isGrouped, (query) => query.where("flows.name", "=", p.group))
      .limit(FEW),
  );

const blocks = (isGrouped: boolean) =>
  statement<Named>()((db, p) =>
    db
      .selectFrom("block_documents")
      .innerJoin("block_types", "block_types.id", "block_documents.block_type_id")
      .select("block_documents.id")
      .where("block_documents.workspace_id", "=", p.workspace_id)
      .where("block_documents.name", "=", p.name)
      .$if(isGrouped, (query) => query.where("block_types.slug", "=", p.group))
      .limit(FEW),
  );

const byName = { deployment: deployments(false), block: blocks(false) };
const byGroup = { deployment: deployments(true), block: blocks(true) };

const ofTable = (table: "work_pools" | "automations") =>
  statement<{ name: string }>()((db, p) =>
    db
      .selectFrom(table)
      .select("id")
      .where("workspace_id", "=", p.workspace_id)
      .where("name", "=", p.name)
      .limit(FEW),
  );
const pools = ofTable("work_pools");
const automations = ofTable("automations");

export type NamedKind = "deployment" | "block" | "work_pool" | "automation";

/** The ids of what has the name, such as `report/nightly`; at most two. */
export async function findIdsByName(
  queries: Queries,
  kind: NamedKind,
  given: string,
): Promise<string[]> {
  const rows = await rowsFor(queries, kind, given);
  return rows.map(({ id }) => id);
}

function rowsFor(queries: Queries, kind: NamedKind, given: string) {
  if (kind === "work_pool") return queries.all(pools, { name: given });
  if (kind === "automation") return queries.all(automations, { name: given });
  const slash = given.lastIndexOf("/");
  const named = { name: given.slice(slash + 1), group: given.slice(0, Math.max(0, slash)) };
  return queries.all((slash === -1 ? byName : byGroup)[kind], named);
}
