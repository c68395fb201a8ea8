import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { type RemovalRow, statement } from "../../db/tables.ts";

export const REMOVALS_TOPIC = "accounts.removals";

interface Removal {
  readonly account_id: string;
  readonly workspace_id: string;
  readonly requested: string;
}

const note = statement<Removal>()((db, p) =>
  db
    .insertInto("workspace_removals")
    .columns(["workspace_id", "account_id", "handle", "requested"])
    .expression((e) =>
      e
        .selectFrom("workspaces")
        .select([
          "id",
          "account_id",
          "handle",
          sql<string>`cast(${p.requested} as text)`.as("requested"),
        ])
        .where("account_id", "=", p.account_id)
        .where("id", "=", p.workspace_id),
    ),
);

const deleteWorkspaceRow = statement<Removal>()((db, p) =>
  db
    .deleteFrom("workspaces")
    .where("account_id", "=", p.account_id)
    .where("id", "=", p.workspace_id),
);

/**
 * Takes the workspace away at once and leaves word of what is left of it. Tells whether it was
 * there.
 */
export async function removeWorkspace(tx: SystemTransaction, removal: Removal): Promise<boolean> {
  await tx.run(note, removal);
  const isRemoved = (await tx.run(deleteWorkspaceRow, removal)) === 1;
  if (isRemoved) tx.notify(REMOVALS_TOPIC);
  return isRemoved;
}

const open = statement()((db) =>
  db
    .selectFrom("workspace_removals")
    .select(["workspace_id", "account_id", "handle", "requested"])
    .orderBy("requested")
    .orderBy("workspace_id"),
);

/** What is still to be deleted, oldest first. */
export function listRemovals({ system }: Pick<Database, "system">): Promise<RemovalRow[]> {
  return system.all(open, {});
}

const finish = statement<{ workspace_id: string }>()((db, p) =>
  db.deleteFrom("workspace_removals").where("workspace_id", "=", p.workspace_id),
);

export async function finishRemoval(tx: SystemTransaction, workspace_id: string): Promise<void> {
  await tx.run(finish, { workspace_id });
}

interface AccountKey {
  readonly account_id: string;
}

const invitations = statement<AccountKey>()((db, p) =>
  db.deleteFrom("invitations").where("account_id", "=", p.account_id),
);
const keys = statement<AccountKey>()((db, p) =>
  db.deleteFrom("api_keys").where("account_id", "=", p.account_id),
);
const services = statement<AccountKey>()((db, p) =>
  db.deleteFrom("service_accounts").where("account_id", "=", p.account_id),
);
const members = statement<AccountKey>()((db, p) =>
  db.deleteFrom("account_members").where("account_id", "=", p.account_id),
);
const account = statement<AccountKey>()((db, p) =>
  db.deleteFrom("accounts").where("id", "=", p.account_id),
);
const onlyHere = statement<AccountKey>()((db, p) =>
  db
    .selectFrom("account_members as member")
    .select("member.user_id")
    .where("member.account_id", "=", p.account_id)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("account_members as other")
            .select("other.user_id")
            .whereRef("other.user_id", "=", "member.user_id")
            .where("other.account_id", "<>", p.account_id),
        ),
      ),
    ),
);
const user = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("users")
    .where("id", "=", p.id)
    .where((e) =>
      e.not(e.exists(e.selectFrom("api_keys").select("api_keys.id").where("user_id", "=", p.id))),
    ),
);

/** Its workspaces are gone by then. */
export async function removeAccount(tx: SystemTransaction, account_id: string): Promise<void> {
  // Who belongs to no other account can do nothing here, and need not be remembered.
  const users = await tx.all(onlyHere, { account_id });
  for (const each of [invitations, keys, services, members, account])
    await tx.run(each, { account_id });
  for (const { user_id } of users) await tx.run(user, { id: user_id });
}
