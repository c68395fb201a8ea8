import { createHearing } from "@orchestrator/kernel/loops";
import type { Service, ServiceHost } from "@orchestrator/kernel/scope";
import { mountOrchestrator } from "./app.ts";
import { installSystemBlocks } from "./blocks/install-system-blocks.service.ts";
import type { MonitorCommands, OrchestratorContext } from "./context.ts";
import { apiDialect, type DialectName } from "./dialect.ts";
import { orchestratorLoops } from "./loops.ts";
import { createEmptyPollCache } from "./polling/empty-poll-cache.ts";
import { PollRecorder } from "./polling/poll-recorder.ts";
import { createSlotLines } from "./polling/slot-lines.ts";
import { createWaitingPolls } from "./polling/waiting-polls.ts";
import { extendDeadlines } from "./reacting/extend-deadlines.store.ts";
import type { OrchestratorSettings } from "./settings.ts";

export interface OrchestratorOptions {
  readonly dialect: DialectName;
  readonly settings: OrchestratorSettings;
  readonly settingsView: unknown;
  readonly monitors: MonitorCommands | null;
}

/** The orchestration service, ready to be mounted. */
export function createOrchestrator(host: ServiceHost, options: OrchestratorOptions): Service {
  const log = host.log.child({ logger: "orchestrator" });
  const hearing = createHearing({
    ...host,
    log,
    service: "orchestrator",
    extend: extendDeadlines,
  });
  const ctx: OrchestratorContext = {
    ...host,
    log,
    hearing,
    dialect: apiDialect(options.dialect, host.version),
    settings: options.settings,
    settingsView: options.settingsView,
    monitors: options.monitors,
    polls: new PollRecorder(),
    quietPools: createEmptyPollCache(host),
    slotLines: createSlotLines(host),
    waits: createWaitingPolls(host),
  };
  return {
    name: "orchestrator",
    // What was silent because no server was there is known before anybody is answered.
    prepare: async () => {
      await hearing.listen();
    },
    prepareWorkspace: (workspaceId) => installSystemBlocks(ctx, workspaceId),
    mount: (app) => mountOrchestrator(app, ctx),
    loops: [...hearing.loops, ...orchestratorLoops(ctx)],
  };
}
