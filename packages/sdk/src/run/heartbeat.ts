import { newId } from "../ids.ts";
import type { ReportSession } from "../report/session.ts";
import type { FlowRunInfo } from "../scope/context.ts";
import { type Alarm, nextMicros, runEvery, timestampOf } from "../time.ts";

/**
 * Reports now and again that the run is alive. That it will was reported with RUNNING, so that silence
 * means that the process is gone.
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
  return runEvery(heartbeatSeconds * 1000, beat);
}
