import { openScope, type Service, type ServiceHost, type StartNotice } from "@orchestrator/kernel";
import { mountUptime } from "./app.ts";
import { createContext } from "./create-context.ts";
import { ensureAccount, type MadeUpCredentials } from "./features/login/accounts.service.ts";
import { observeMonitors } from "./features/monitor-metrics/observe-monitors.ts";
import { uptimeLoops } from "./loops.ts";
import type { UptimeSettings } from "./settings.ts";

/** The uptime service, ready to be mounted. */
export function createUptime(host: ServiceHost, settings: UptimeSettings): Service {
  const log = host.log.child({ logger: "uptime" });
  const ctx = createContext({ ...host, log }, { settings });
  let madeUp: MadeUpCredentials | null = null;
  return {
    name: "uptime",
    async prepare() {
      madeUp = await ensureAccount(ctx, openScope("start").workspaceId);
    },
    notices: () => (madeUp === null ? [] : [loginNotice(madeUp)]),
    mount: (app) => mountUptime(app, ctx),
    observe: (metrics) => observeMonitors(metrics, ctx),
    loops: uptimeLoops(ctx),
  };
}

function loginNotice({ username, password }: MadeUpCredentials): StartNotice {
  const text = `${username} / ${password} (shown this once; UPTIME_PASSWORD sets another)`;
  return { label: "Uptime login", text };
}
