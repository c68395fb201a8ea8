import { ApiError, ConnectionError, TimeoutError } from "@orchestrator/client";
import { createClient, type OrchestratorClient, resolveConfig } from "@orchestrator/client/node";

export interface ServerConnection {
  readonly client: OrchestratorClient;
  readonly url: string;
  /** Tells connections apart. */
  readonly identity: string;
}

const connections = new Map<string, ServerConnection>();

/** The client for the server that the environment or the profile in use names. */
export function connectToServer(): ServerConnection {
  const { settings } = resolveConfig();
  const url = settings.ORCHESTRATOR_API_URL.value;
  const apiKey = settings.ORCHESTRATOR_API_KEY?.value;
  const authString = settings.ORCHESTRATOR_API_AUTH_STRING?.value;
  const identity = `${url} ${apiKey ?? authString ?? ""}`;
  const known = connections.get(identity);
  if (known !== undefined) return known;
  const client = createClient({ url, apiKey, authString });
  const connection = { client, url: client.url, identity };
  connections.set(identity, connection);
  return connection;
}

const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the server did not answer, or only for the moment not as it should. */
export function isTransientError(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status >= 500 || PASSING_STATUSES.has(error.status);
}

/** Whether nobody is there. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

const CONFLICT = 409;

/** Whether a report came from an executor whose run was offered to others. */
export function isLapsedClaim(error: unknown): boolean {
  return hasStatus(error, CONFLICT);
}

/** How long the server asks to wait; null when it does not say. */
export function retryAfterMsOf(error: unknown): number | null {
  return error instanceof ApiError ? error.retryAfterMs : null;
}
