// Where checks may go, by the settings of this server.

import type { Destination, OutboundPolicy } from "@orchestrator/kernel";
import type { UptimeContext } from "../context.ts";

const ADVICE =
  "The operator of the server can allow it with UPTIME_PROBE_ALLOWED_HOSTS or UPTIME_PROBE_POLICY. Otherwise let an agent or a worker in that network check it and report to a heartbeat monitor";

const policies = new WeakMap<UptimeContext, OutboundPolicy>();

/** Settings do not change while the process runs. */
export function policyOf(ctx: UptimeContext): OutboundPolicy {
  const known = policies.get(ctx);
  if (known !== undefined) return known;
  const { probePolicy, probeAllowedHosts } = ctx.settings;
  const policy = {
    allowPrivate: probePolicy === "private-ok",
    allowed: probeAllowedHosts ?? [],
    onlyAllowed: probePolicy === "allowlist",
    closed: databaseAt(ctx.db.location),
    advice: ADVICE,
  };
  policies.set(ctx, policy);
  return policy;
}

const POSTGRES_PORT = 5432;

/** Nobody is sent to this server's own database. */
function databaseAt(location: string): Destination[] {
  if (!URL.canParse(location)) return [];
  const { hostname, port } = new URL(location);
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "" ? [] : [{ host, port: port === "" ? POSTGRES_PORT : Number(port) }];
}
