import type { ServiceHost } from "@orchestrator/kernel";
import type { AccountsGate } from "./access/accounts-gate.ts";

/** What the service needs, built once at the start. */
export interface AccountsContext
  extends Pick<ServiceHost, "db" | "clock" | "ids" | "log" | "version"> {
  readonly gate: AccountsGate;
  /** Puts into a new workspace what the services want to find there. */
  readonly prepareWorkspace: (workspaceId: string) => Promise<void>;
}
