import type { CreatedAccount } from "@orchestrator/contract";
import type { Service, ServiceHost, StartNotice } from "@orchestrator/kernel";
import type { AccountsGate } from "./access/accounts-gate.ts";
import { mountAccounts } from "./app.ts";
import type { AccountsContext } from "./context.ts";
import { ensureFirstAccount } from "./features/accounts/accounts.service.ts";

const USES_MS = 5000;
/** A change is heard of at once; this is for keys that expire, and for changes nobody heard of. */
const SOCKETS_MS = 1000;

export interface AccountsOptions extends Pick<AccountsContext, "prepareWorkspace"> {
  readonly gate: AccountsGate;
}

/** Accounts, workspaces and keys, ready to be mounted. */
export function createAccounts(host: ServiceHost, options: AccountsOptions): Service {
  const ctx: AccountsContext = { ...host, ...options };
  let first: CreatedAccount | null = null;
  return {
    name: "accounts",
    async prepare() {
      first = await ensureFirstAccount(ctx);
    },
    notices: () => (first === null ? [] : ownerNotices(first)),
    mount: (app) => mountAccounts(app, ctx),
    loops: [
      {
        name: "key-uses",
        everyMs: USES_MS,
        runs: "each",
        tick: () => ctx.gate.keys.flushUses(),
      },
      {
        name: "key-sockets",
        everyMs: SOCKETS_MS,
        runs: "each",
        tick: () => ctx.gate.recheck(),
      },
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
