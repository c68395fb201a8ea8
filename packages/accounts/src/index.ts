export { type AccountsGate, createAccountsGate } from "./access/accounts-gate.ts";
export { accountsMigrations } from "./db/migrations/index.ts";
export { listAllWorkspaceIds } from "./features/workspaces/workspaces.store.ts";
export { createAccounts } from "./service.ts";
