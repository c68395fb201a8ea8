import type { MigrationList } from "@orchestrator/kernel/storage";
import { accounts } from "./0001-accounts.ts";
import { users } from "./0002-users.ts";
import { audit } from "./0003-audit.ts";
import { quotas } from "./0004-quotas.ts";

export const accountsMigrations: MigrationList = {
  component: "accounts",
  migrations: [accounts, users, audit, quotas],
};
