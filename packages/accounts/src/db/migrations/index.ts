import type { MigrationList } from "@orchestrator/kernel/storage";
import { accountsMigration } from "./0001-accounts.ts";
import { usersMigration } from "./0002-users.ts";
import { auditMigration } from "./0003-audit.ts";
import { quotasMigration } from "./0004-quotas.ts";

export const accountsMigrations: MigrationList = {
  component: "accounts",
  migrations: [accountsMigration, usersMigration, auditMigration, quotasMigration],
};
