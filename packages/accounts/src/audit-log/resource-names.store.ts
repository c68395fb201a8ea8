import {
  type Database,
  idRows,
  listedIds,
  type Queries,
  type Statement,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement, workspaceStatement } from "../db/tables.ts";
import type { NamePlace } from "./resource-names.rules.ts";

interface Listed {
  readonly ids: string;
}

export interface NamedResource {
  readonly id: string;
  readonly name: string | null;
}

/** One statement for every table that was ever asked. */
const known = new Map<string, Statement<Listed, NamedResource>>();

function namesFrom({ table, column }: NamePlace): Statement<Listed, NamedResource> {
  const before = known.get(table);
  if (before !== undefined) return before;
  const made = workspaceStatement<Listed>()((db, p, dialect) =>
    // The tables are those of other services; all have an id, and a name in this column.
    db
      .selectFrom(table as "workspaces")
      .select(["id", sql<string | null>`${sql.ref(column)}`.as("name")])
      .where(sql.ref("workspace_id"), "=", p.workspace_id)
      .where("id", "in", listedIds(dialect, p.ids)),
  );
  known.set(table, made);
  return made;
}

export function listNames(
  queries: Queries,
  place: NamePlace,
  ids: Iterable<string>,
): Promise<NamedResource[]> {
  return queries.all(namesFrom(place), { ids: idRows(ids) });
}

/** What an account is made of, whatever it is. */
const namesInAccount = statement<Listed & { readonly account_id: string }>()((db, p, dialect) => {
  const ids = listedIds(dialect, p.ids);
  return db
    .selectFrom("workspaces")
    .select(["id", "name"])
    .where("account_id", "=", p.account_id)
    .where("id", "in", ids)
    .unionAll(
      db
        .selectFrom("service_accounts")
        .select(["id", "name"])
        .where("account_id", "=", p.account_id)
        .where("id", "in", ids),
    )
    .unionAll(
      db
        .selectFrom("api_keys")
        .select(["id", "name"])
        .where("account_id", "=", p.account_id)
        .where("id", "in", ids),
    )
    .unionAll(
      db
        .selectFrom("invitations")
        .select(["id", "email as name"])
        .where("account_id", "=", p.account_id)
        .where("id", "in", ids),
    )
    .unionAll(
      db
        .selectFrom("account_members")
        .innerJoin("users", "users.id", "account_members.user_id")
        .select(["users.id", "users.name"])
        .where("account_members.account_id", "=", p.account_id)
        .where("users.id", "in", ids),
    );
});

export function listNamesInAccount(
  { system }: Pick<Database, "system">,
  account_id: string,
  ids: Iterable<string>,
): Promise<NamedResource[]> {
  return system.all(namesInAccount, { account_id, ids: idRows(ids) });
}
