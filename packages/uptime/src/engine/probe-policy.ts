// Where checks may go, by the settings of this server.

import type { Database } from "@orchestrator/kernel/storage";
import type { Destination, OutboundPolicy } from "@orchestrator/outbound";
import type { UptimeSettings } from "../settings.ts";

const ADVICE =
  "The operator of the server can allow it with UPTIME_PROBE_ALLOWED_HOSTS or UPTIME_PROBE_POLICY. Otherwise let an agent or a worker in that network check it and report to a heartbeat monitor";

export function probePolicy(
  { probePolicy: reach, probeAllowedHosts }: UptimeSettings,
  db: Database,
): OutboundPolicy {
  return {
    allowPrivate: reach === "private-ok",
    allowed: probeAllowedHosts ?? [],
    onlyAllowed: reach === "allowlist",
    closed: databaseAt(db.location),
    advice: ADVICE,
  };
}

const POSTGRES_PORT = 5432;

/** Nobody is sent to this server's own database. */
function databaseAt(location: string): Destination[] {
  if (!URL.canParse(location)) return [];
  const { hostname, port } = new URL(location);
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "" ? [] : [{ host, port: port === "" ? POSTGRES_PORT : Number(port) }];
}
