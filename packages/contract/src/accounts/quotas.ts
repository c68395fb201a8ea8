import { type Static, Type } from "typebox";
import { Int, Model, Nullable, Timestamp } from "../schema/index.ts";

const MOST = 1_000_000_000_000_000;

const amount = (description: string) =>
  Type.Optional(Nullable(Int({ minimum: 0, maximum: MOST }), { description }));

const known = (description: string) => Nullable(Int(), { description });

/** What is left out, or null, may be any amount. */
export const WorkspaceQuotasUpdate = Model(
  {
    runs_per_day: amount("Flow runs that are made from midnight to midnight, UTC."),
    events_per_day: amount("Events, received or of the server, from midnight to midnight, UTC."),
    runs_stored: amount("Flow runs that are there."),
    storage_bytes: amount("What all rows of the workspace take, without indexes."),
  },
  { $id: "WorkspaceQuotasUpdate" },
);
export type WorkspaceQuotasUpdate = Static<typeof WorkspaceQuotasUpdate>;

const Limits = Model(
  {
    runs_per_day: known("Null for any number."),
    events_per_day: known("Null for any number."),
    runs_stored: known("Null for any number."),
    storage_bytes: known("Null for any amount."),
  },
  { $id: "WorkspaceQuotaLimits" },
);

const Usage = Model(
  {
    runs_per_day: Int({ description: "Made since midnight, UTC." }),
    events_per_day: Int({ description: "Received or made by the server since midnight, UTC." }),
    runs_stored: known("When it was last measured; null where it never was."),
    storage_bytes: known("When it was last measured; null where it never was."),
    measured: Nullable(Timestamp(), { description: "When the last two were measured." }),
    resets: Timestamp({ description: "When the day begins anew." }),
  },
  { $id: "WorkspaceUsage" },
);
export type WorkspaceUsage = Static<typeof Usage>;

export const WorkspaceQuotas = Model(
  {
    quotas: Limits,
    effective: Type.Unsafe<Static<typeof Limits>>({
      ...Limits,
      description: "What counts: the lesser of these quotas and those of the server's settings.",
    }),
    usage: Usage,
  },
  { $id: "WorkspaceQuotas" },
);
export type WorkspaceQuotas = Static<typeof WorkspaceQuotas>;
