import { createAccountsGate } from "@orchestrator/accounts";
import { type Clock, type Database, type Gate, openGate, passwordGate } from "@orchestrator/kernel";
import type { ProgramSettings } from "./settings.ts";
import { StartupError } from "./startup-error.ts";

interface GateParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** Looked for before anything is changed. */
export function checkAuthSettings({ server, accounts: { oidc } }: ProgramSettings): void {
  const { authMode, authString } = server;
  if (authMode === "password" && authString === null)
    throw new StartupError(
      "Mode `password` needs the string that callers must send: set ORCHESTRATOR_SERVER_AUTH_STRING, such as user:password",
    );
  if (oidc.issuer !== null && oidc.clientId === null)
    throw new StartupError(
      "An OpenID provider must know this server by a name: set ORCHESTRATOR_AUTH_OIDC_CLIENT_ID",
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
