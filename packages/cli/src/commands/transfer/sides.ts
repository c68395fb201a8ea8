// The two servers of a transfer. Each is spoken to with the credentials of its own profile and with
// no others.

import type { OrchestratorClient, UptimeClient } from "@orchestrator/client/node";
import { EXACT_JSON_FORMAT } from "../../io/exact-answers.ts";
import type { CliSession } from "../../io/session.ts";

export interface Side {
  readonly client: OrchestratorClient;
  readonly uptime: UptimeClient;
}

const ADDRESS = /^https?:\/\//i;
const RETRIES = 2;

/** By the name of a profile, or by an address of which no credentials are known. */
export async function openSide(name: string): Promise<Side> {
  const { CLIENT_SETTINGS, createClient, createUptimeClient } = await import(
    "@orchestrator/client/node"
  );
  // The environment wins over profiles: it would make both sides the same server, or tell one the
  // key of the other.
  const others = Object.entries(process.env).filter(
    ([key]) => !Object.hasOwn(CLIENT_SETTINGS, key),
  );
  const env = Object.fromEntries(others);
  const how = ADDRESS.test(name)
    ? { env: { ...env, ORCHESTRATOR_API_URL: name } }
    : { env, profile: name };
  const options = { ...how, retries: RETRIES, json: EXACT_JSON_FORMAT };
  return { client: createClient(options), uptime: createUptimeClient(options) };
}

/** The server in use. */
export const ownSide = ({ client, uptime }: CliSession): Side => ({ client, uptime });
