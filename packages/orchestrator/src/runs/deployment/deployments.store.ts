import type { Deployment } from "@orchestrator/contract";
import {
  type Dialect,
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { DEPLOYMENTS, type DeploymentRow } from "../../db/tables/deployments.table.ts";
import { statement } from "../../db/tables.ts";
import { watchedDeployments } from "../../work/pools/deployment-readiness.store.ts";
import type { WatchedDeployment } from "../../work/pools/readiness.events.ts";

/** A deployment is found by its id, or by its flow's name and its own. */
export type DeploymentKey =
  | { readonly id: string }
  | { readonly flow_name: string; readonly deployment_name: string };

const recordAt = (dialect: Dialect, now: string) =>
  recordSql(dialect, { fields: DEPLOYMENTS.fields, table: "deployments", now }).as("json");

const recordById = statement<{ id: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select(recordAt(dialect, p.now))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

const recordByNames = statement<{ flow_name: string; deployment_name: string; now: string }>()(
  (db, p, dialect) =>
    db
      .selectFrom("deployments")
      .select(recordAt(dialect, p.now))
      .where("workspace_id", "=", p.workspace_id)
      .where("name", "=", p.deployment_name)
      .where("flow_id", "=", (e) =>
        e
          .selectFrom("flows")
          .select("flows.id")
          .where("flows.workspace_id", "=", p.workspace_id)
          .where("flows.name", "=", p.flow_name),
      ),
);

export async function findDeployment(
  queries: Queries,
  key: DeploymentKey,
  now: string,
): Promise<JsonText<Deployment> | null> {
  const row =
    "id" in key
      ? await queries.get(recordById, { id: key.id, now })
      : await queries.get(recordByNames, { ...key, now });
  return row?.json ?? null;
}

const rowById = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .select(DEPLOYMENTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** The row as it is at this moment. */
export async function findDeploymentRow(
  queries: Queries,
  id: string,
): Promise<DeploymentRow | null> {
  return asStored(await queries.get(rowById, { id }));
}

const lockById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select(DEPLOYMENTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

const lockByName = statement<{ flow_id: string; name: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select(DEPLOYMENTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_id", "=", p.flow_id)
    .where("name", "=", p.name)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockDeployment(
  tx: Transaction,
  key: { readonly id: string } | { readonly flow_id: string; readonly name: string },
): Promise<DeploymentRow | null> {
  return asStored("id" in key ? await tx.get(lockById, key) : await tx.get(lockByName, key));
}

/** The database may space JSON that it can search its own way; decisions compare it with ours. */
function asStored(row: DeploymentRow | undefined): DeploymentRow | null {
  return row === undefined ? null : { ...row, tags: JSON.stringify(JSON.parse(row.tags)) };
}

const surroundings = statement<{ id: string }>()((db, p) =>
  watchedDeployments(db)
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.id", "=", p.id),
);

/** The deployment with the names of what its events mention. */
export async function findDeploymentRelations(
  tx: Transaction,
  id: string,
): Promise<WatchedDeployment | null> {
  return (await tx.get(surroundings, { id })) ?? null;
}
