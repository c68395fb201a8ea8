import { type Static, Type } from "typebox";
import {
  Flag,
  Model,
  NamedParameters,
  Nullable,
  Num,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { ListLimit } from "./list-limit.ts";

const MAX_INCIDENTS = 1000;
const MAX_NOTE = 2000;

const INCIDENT_ENDS = ["recovered", "paused", "deleted"] as const;
export const INCIDENT_STATUSES = ["degraded", "down"] as const;

export const Incident = Model(
  {
    id: Uuid(),
    monitor_id: Uuid(),
    status: StringEnum(INCIDENT_STATUSES, { description: "The worst while it lasted" }),
    cause: Type.String({ description: "The message of the result that opened it" }),
    started_at: Timestamp(),
    ended_at: Nullable(Timestamp(), { description: "Null while it lasts" }),
    duration_seconds: Nullable(Num({ minimum: 0 })),
    ended_by: Nullable(StringEnum(INCIDENT_ENDS), {
      description: "Whether the target is back, or the monitor was paused or deleted meanwhile",
    }),
    caused_by: Nullable(Uuid(), { description: "The parent that was down when it began" }),
    acknowledged_at: Nullable(Timestamp()),
    acknowledged_by: Nullable(Type.String()),
    note: Nullable(Type.String({ maxLength: MAX_NOTE })),
  },
  { $id: "Incident" },
);
export type Incident = Static<typeof Incident>;

export const IncidentId = Type.Object({ id: Uuid() }, { title: "Incident" });

export const IncidentList = NamedParameters({
  open: Type.Optional(Flag({ description: "Only those that last, or only those that have ended" })),
  since: Type.Optional(Timestamp({ description: "Begun from this time on" })),
  until: Type.Optional(Timestamp({ description: "Begun up to this time" })),
  limit: ListLimit(MAX_INCIDENTS, 100),
  offset: Offset(),
});
export type IncidentList = Static<typeof IncidentList>;

export const IncidentAcknowledge = NamedParameters({
  note: Type.Optional(Type.String({ maxLength: MAX_NOTE })),
});
export type IncidentAcknowledge = Static<typeof IncidentAcknowledge>;
