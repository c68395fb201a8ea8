import { newId } from "../ids.ts";
import type { ReportSession } from "../report/session.ts";
import type { FlowRunInfo } from "../scope/context.ts";
import { type Alarm, nextMicros, runAfter, runEvery, timestampOf } from "../time.ts";

/** Automations may watch for heartbeats; a run that is shorter sends none. */
const FIRST_MS = 1000;

/**
 * Reports now and again that the run is alive. That it will was reported with RUNNING, so that
 * silence means that the process is gone.
 */
export function startHeartbeat(session: ReportSession, { id, name }: FlowRunInfo): Alarm {
  const { heartbeatSeconds } = session.settings;
  const beat = (): void =>
    session.events.push({
      id: newId(),
      occurred: timestampOf(nextMicros()),
      event: "orchestrator.flow-run.heartbeat",
      resource: {
        "orchestrator.resource.id": `orchestrator.flow-run.${id}`,
        "orchestrator.resource.name": name,
      },
      related: [],
      payload: { heartbeat_interval_seconds: heartbeatSeconds },
      follows: null,
    });
  const everyMs = heartbeatSeconds * 1000;
  const first = everyMs > FIRST_MS ? runAfter(FIRST_MS, beat) : null;
  const next = runEvery(everyMs, beat);
  return {
    cancel() {
      first?.cancel();
      next.cancel();
    },
  };
}
