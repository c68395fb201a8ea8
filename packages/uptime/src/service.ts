import { createHearing } from "@orchestrator/kernel/loops";
import {
  openScope,
  type Service,
  type ServiceHost,
  type StartNotice,
} from "@orchestrator/kernel/scope";
import { mountUptime } from "./app.ts";
import { createContext } from "./create-context.ts";
import { observeMonitors } from "./engine/metrics/observe-monitors.ts";
import { ensureAccount, type MadeUpCredentials } from "./login/accounts.service.ts";
import { uptimeLoops } from "./loops.ts";
import type { UptimeSettings } from "./settings.ts";

/** The uptime service, ready to be mounted. */
export function createUptime(host: ServiceHost, settings: UptimeSettings): Service {
  const log = host.log.child({ logger: "uptime" });
  const hearing = createHearing({ ...host, log, service: "uptime" });
  const ctx = createContext({ ...host, log }, { settings, hearing });
  let madeUp: MadeUpCredentials | null = null;
  return {
    name: "uptime",
    async prepare() {
      // What was silent because no server was there is known before anybody is judged.
      await hearing.listen();
      madeUp = await ensureAccount(ctx, openScope("start").workspaceId);
    },
    notices: () => (madeUp === null ? [] : [loginNotice(madeUp)]),
    mount: (app) => mountUptime(app, ctx),
    observe: (metrics) => observeMonitors(metrics, ctx),
    loops: [...hearing.loops, ...uptimeLoops(ctx)],
  };
}

function loginNotice({ username, password }: MadeUpCredentials): StartNotice {
  const text = `${username} / ${password} (shown this once; UPTIME_PASSWORD sets another)`;
  return { label: "Uptime login", text };
}
