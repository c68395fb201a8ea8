import { type Static, type TSchema, Type } from "typebox";
import {
  Int,
  JsonObject,
  LONG,
  Model,
  Nullable,
  Num,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";

const MAX_TAGS = 100;
const MAX_LABELS = 500;
const MAX_BULK = 50;
export const MAX_WAIT_SECONDS = 60;

export const Tags = Type.Array(Type.String(LONG), { maxItems: MAX_TAGS });

type LabelValue = string | number | bigint | boolean;

/** Labels of a resource: texts, numbers and booleans by name. */
export const Labels = Type.Unsafe<Readonly<Record<string, LabelValue>>>({
  type: "object",
  additionalProperties: { type: ["string", "number", "boolean"] },
  maxProperties: MAX_LABELS,
});
export type Labels = Static<typeof Labels>;

/** Parameters of a run by name. */
export const Parameters = JsonObject({ description: "Values by parameter name" });

export const CreatedBy = Model(
  {
    id: Type.Optional(Nullable(Uuid())),
    type: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
    display_value: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
  },
  { $id: "CreatedBy", description: "Who or what made it" },
);

/** What every stored record begins with. */
export const recordFields = {
  id: Uuid(),
  created: Timestamp(),
  updated: Timestamp(),
} as const;

export const ById = Type.Object({ id: Uuid() });

/** One page and how many there are. */
export function PaginatedOf<Schema extends TSchema>(schema: Schema, $id: string) {
  return Model(
    {
      results: Type.Array(schema),
      count: Type.Integer(),
      limit: Type.Integer(),
      pages: Type.Integer(),
      page: Type.Integer(),
    },
    { $id },
  );
}

/** How many a bulk operation takes at most. */
export const BulkLimit = () =>
  Type.Optional(
    Int({
      minimum: 1,
      maximum: MAX_BULK,
      default: MAX_BULK,
      detailPrefix: "Invalid limit: must be",
      description: `At most this many; ${MAX_BULK} when left out`,
    }),
  );

/** For polls whose answer may be waited for. */
export const WaitSeconds = () =>
  Type.Optional(
    Num({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      description:
        "Answer when a run is due, or after so many seconds. `scheduled_before` then moves on with the time, to the " +
        "second, and is now where it is left out",
    }),
  );

export const Deleted = Model({ deleted: Type.Array(Uuid()) }, { $id: "Deleted" });

export const STATE_TYPES = [
  "SCHEDULED",
  "PENDING",
  "RUNNING",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "CRASHED",
  "PAUSED",
  "CANCELLING",
] as const;
export type StateType = (typeof STATE_TYPES)[number];
export const StateType = StringEnum(STATE_TYPES, { description: "What a run is doing" });

/** A run in one of these has ended. */
export const TERMINAL_STATE_TYPES: ReadonlySet<StateType> = new Set([
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "CRASHED",
]);
