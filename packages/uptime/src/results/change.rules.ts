// What becomes of a result beyond itself: the incident that begins or ends with it, and the event
// that tells.

import type { CheckResult } from "@orchestrator/contract";
import type { DownParent } from "../db/tables/dependencies.table.ts";
import type { IncidentChange } from "../db/tables/incidents.table.ts";
import type { CheckStatus } from "../db/tables/results.table.ts";
import type { TrackRow } from "../db/tables/tracks.table.ts";
import { type Consequences, consequencesOf, publishedAfter } from "./event-consequences.rules.ts";

/** Something to be told of the monitor. */
export interface MonitorEventDraft {
  readonly verb: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What the result has confirmed. */
export interface Confirmed {
  readonly before: string | null;
  readonly after: CheckStatus | null;
  /** When the first of the results came that confirm it, if this one has changed it. */
  readonly since: string;
}

export interface ChangeContext {
  readonly newId: () => string;
  /** A parent that is confirmed to be down, and silences changes for the worse. */
  readonly downParentOf: (monitorId: string) => DownParent | null;
}

export interface ResultChange {
  readonly incident: IncidentChange | null;
  readonly told: MonitorEventDraft | null;
  /** What the track says then. */
  readonly track: Pick<TrackRow, "incident_id" | "told_status" | "confirmed_since">;
}

const VERBS: Readonly<Record<CheckStatus, string>> = {
  up: "Up",
  degraded: "Degraded",
  down: "Down",
};

export function changeOf(
  track: TrackRow,
  { result, confirmed }: { readonly result: CheckResult; readonly confirmed: Confirmed },
  { newId, downParentOf }: ChangeContext,
): ResultChange {
  const isChanged = confirmed.after !== confirmed.before;
  const confirmed_since = isChanged ? confirmed.since : track.confirmed_since;
  const standing = {
    status: result.status,
    confirmed: confirmed.after,
    isChanged,
    told: track.told_status,
    hasIncident: track.incident_id !== null,
    inMaintenance: result.maintenance,
  };
  const consequences = consequencesOf(standing);
  const { incident, isNews, mayBeSilenced } = consequences;
  const parent = mayBeSilenced ? downParentOf(result.monitor_id) : null;
  const id = incident === "begins" ? newId() : track.incident_id;
  const isTold = isNews && parent === null;
  return {
    incident:
      id === null
        ? null
        : incidentChange(consequences, result, {
            id,
            status: confirmed.after,
            started_at: isChanged ? confirmed.since : result.checked_at,
            ended_at: confirmed_since ?? result.checked_at,
            parent,
          }),
    told:
      isTold && confirmed.after !== null
        ? toldOf(confirmed.after, result, { previous: track.told_status, incidentId: id })
        : null,
    track: {
      incident_id: incident === "ends" ? null : id,
      told_status: publishedAfter(standing, isTold),
      confirmed_since,
    },
  };
}

interface IncidentFacts {
  readonly id: string;
  readonly status: CheckStatus | null;
  readonly started_at: string;
  readonly ended_at: string;
  readonly parent: DownParent | null;
}

function incidentChange(
  { incident }: Consequences,
  { message, id: result_id, monitor_id }: CheckResult,
  { id, status, started_at, ended_at, parent }: IncidentFacts,
): IncidentChange | null {
  if (incident === null) return null;
  if (incident === "ends") return { kind: "ends", id, ended_at };
  if (incident === "worsens" || status === "up" || status === null) return { kind: "worsens", id };
  const cause = parent === null ? message : `${message} (caused by parent ${parent.name})`;
  const caused_by = parent?.id ?? null;
  return { kind: "opens", id, monitor_id, status, cause, result_id, started_at, caused_by };
}

function toldOf(
  status: CheckStatus,
  { message, elapsed_ms, id: result_id }: CheckResult,
  {
    previous,
    incidentId,
  }: { readonly previous: string | null; readonly incidentId: string | null },
): MonitorEventDraft {
  return {
    verb: VERBS[status],
    payload: {
      previous_status: previous,
      status,
      message,
      elapsed_ms,
      result_id,
      incident_id: incidentId,
    },
  };
}
