import type { MigrationList } from "@orchestrator/kernel";
import { accounts } from "./0001-accounts.ts";

export const accountsMigrations: MigrationList = { component: "accounts", migrations: [accounts] };
