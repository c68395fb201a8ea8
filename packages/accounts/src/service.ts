import type { CreatedAccount } from "@orchestrator/contract";
import { LoginGuard } from "@orchestrator/kernel/http";
import type { Service, ServiceHost, StartNotice } from "@orchestrator/kernel/scope";
import { ensureFirstAccount } from "./accounts/accounts.service.ts";
import { quotaLoops } from "./accounts/quotas/quotas.loop.ts";
import { removalLoop } from "./accounts/removal/removal.loop.ts";
import { mountAccounts } from "./app.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { auditLoops } from "./audit-log/audit.loop.ts";
import type { AccountsContext } from "./context.ts";
import type { AccountsGate } from "./gate/accounts-gate.ts";
import { userMaintenanceLoop } from "./sign-in/user-maintenance.loop.ts";
import { accountingOf } from "./usage/accounting.ts";
import { standInHash } from "./users/password-hash.ts";

const USES_MS = 5000;
/** A change is heard of at once; this is for keys that expire, and for changes nobody heard of. */
const SOCKETS_MS = 1000;

export interface AccountsOptions
  extends Pick<AccountsContext, "prepareWorkspace" | "settings" | "auditSettings"> {
  readonly gate: AccountsGate;
  readonly publicUrl: string;
}

/** Accounts, workspaces and keys, ready to be mounted. */
export function createAccounts(host: ServiceHost, options: AccountsOptions): Service {
  const accounting = accountingOf(host.db);
  if (accounting === null) throw new Error("The database was not opened for accounts");
  const ctx: AccountsContext = {
    ...host,
    ...options,
    baseUrl: options.publicUrl.replace(/\/+$/, ""),
    logins: new LoginGuard(host.clock),
    audit: new AuditLog(host),
    accounting,
  };
  let first: CreatedAccount | null = null;
  return {
    name: "accounts",
    async prepare() {
      // Before anything is made: loops do not wait for the one that reads them again.
      await accounting.quotas.refresh();
      // Here, so that the first wrong password takes no longer than others, and a platform without
      // argon2 is found out.
      await standInHash();
      // Last: nobody could be told the key again if something failed between this and the telling.
      first = await ensureFirstAccount(ctx);
    },
    notices: () => (first === null ? [] : ownerNotices(first)),
    mount: (app) => mountAccounts(app, ctx),
    loops: [
      {
        name: "key-uses",
        everyMs: USES_MS,
        runs: "each",
        tick: () => ctx.gate.flushUses(),
      },
      {
        name: "key-sockets",
        everyMs: SOCKETS_MS,
        runs: "each",
        tick: () => ctx.gate.recheck(),
      },
      userMaintenanceLoop(ctx),
      ...auditLoops(ctx),
      removalLoop(ctx),
      ...quotaLoops(ctx),
    ],
  };
}

function ownerNotices({ api_key, workspace }: CreatedAccount): StartNotice[] {
  return [
    { label: "Owner key", text: `${api_key.key} (shown this once)` },
    {
      label: "Workspace",
      text: `/api/accounts/${workspace.account_id}/workspaces/${workspace.id}`,
    },
  ];
}
