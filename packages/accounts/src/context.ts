import type { LoginGuard } from "@orchestrator/kernel/http";
import type { ServiceHost } from "@orchestrator/kernel/scope";
import type { AuditLog } from "./audit/audit-log.ts";
import type { AuditSettings } from "./audit/audit-settings.ts";
import type { AccountsGate } from "./gate/accounts-gate.ts";
import type { AccountsSettings } from "./settings.ts";
import type { Accounting } from "./usage/accounting.ts";

/** What the service needs, built once at the start. */
export interface AccountsContext
  extends Pick<ServiceHost, "db" | "clock" | "ids" | "log" | "version"> {
  readonly gate: AccountsGate;
  readonly settings: AccountsSettings;
  /**
   * Where browsers reach the server, without a slash at the end. Never taken from a request, whose
   * Host anybody can choose.
   */
  readonly baseUrl: string;
  /** Who has failed to log in lately, and who was let in. */
  readonly logins: LoginGuard;
  readonly audit: AuditLog;
  readonly auditSettings: AuditSettings;
  readonly accounting: Accounting;
  /** Puts into a new workspace what the services want to find there. */
  readonly prepareWorkspace: (workspaceId: string) => Promise<void>;
}
