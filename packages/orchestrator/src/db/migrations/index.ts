import type { MigrationList } from "@orchestrator/kernel";
import { variables } from "./0001-variables.ts";
import { csrfTokens } from "./0002-csrf-tokens.ts";

export const orchestratorMigrations: MigrationList = {
  component: "orchestrator",
  migrations: [variables, csrfTokens],
};
