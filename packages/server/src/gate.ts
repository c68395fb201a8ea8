import { createAccountsGate } from "@orchestrator/accounts";
import type { Clock } from "@orchestrator/kernel/pure";
import { type Gate, openGate, passwordGate } from "@orchestrator/kernel/scope";
import type { Database } from "@orchestrator/kernel/storage";
import type { ProgramSettings } from "./settings.ts";
import { StartupError } from "./startup-error.ts";

interface GateParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** Looked for before anything is changed. */
export function checkAuthSettings(settings: ProgramSettings): void {
  const { authMode, authString } = settings.server;
  const { oidc } = settings.accounts;
  if (authMode === "password" && authString === null)
    throw new StartupError(
      "Mode `password` needs the string that callers must send: set ORCHESTRATOR_SERVER_AUTH_STRING, such as user:password",
    );
  if (authMode === "accounts") publicUrlOf(settings);
  if (oidc.issuer !== null && oidc.clientId === null)
    throw new StartupError(
      "An OpenID provider must know this server by a name: set ORCHESTRATOR_AUTH_OIDC_CLIENT_ID",
    );
}

/**
 * What links in invitations begin with: a Host header would let whoever sends a request choose
 * where they lead.
 */
export function publicUrlOf({ accounts: { publicUrl } }: ProgramSettings): string {
  if (publicUrl !== null) return publicUrl;
  throw new StartupError(
    "Mode `accounts` needs the address by which browsers reach this server, for the links of invitations: set ORCHESTRATOR_AUTH_PUBLIC_URL, such as https://orchestrator.example.com, or http://127.0.0.1:4200 on this machine alone",
  );
}

/** Who may come in, by the mode in the settings. */
export function createGate({ server, accounts, limits }: ProgramSettings, parts: GateParts): Gate {
  switch (server.authMode) {
    case "open":
      return openGate;
    case "password":
      return passwordGate(server.authString ?? "");
    case "accounts":
      return createAccountsGate({ ...parts, limits, sessionIdleMs: accounts.sessionIdle });
  }
}
