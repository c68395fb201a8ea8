import { type Static, Type } from "typebox";
import {
  Int,
  LONG,
  Model,
  Nullable,
  Num,
  Seconds,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { EventTrigger } from "./automation-triggers.ts";
import { Event } from "./events.ts";
import { ExecutorClaim } from "./journal.ts";

const MAX_NAME = 1024;
const MAX_KEYS = 1000;
/** A year. */
const MAX_SECONDS = 31_622_400;

const waitKey = () =>
  Type.String({
    minLength: 1,
    ...LONG,
    description: "The place of the call in the run",
    examples: ["$event/0"],
  });

/** What a flow waits for: an event, or without one the time. */
export const FlowRunWaitCreate = Model(
  {
    key: waitKey(),
    event: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: MAX_NAME,
          maxBytes: LONG.maxBytes,
          description: "Name of the event; `*` stands for anything. Null waits for the time alone",
          examples: ["order.paid"],
        }),
      ),
    ),
    match: EventTrigger.properties.match,
    match_related: EventTrigger.properties.match_related,
    timeout_seconds: Seconds({ minimum: 0, maximum: MAX_SECONDS }),
    attempt: Type.Optional(
      Int({
        minimum: 0,
        description: "A wait for an event that has timed out begins anew in a later attempt",
      }),
    ),
    claim: Type.Optional(
      Nullable(ExecutorClaim, { description: "Answered with 409 once that claim has lapsed" }),
    ),
  },
  { $id: "FlowRunWaitCreate" },
);
export type FlowRunWaitCreate = Static<typeof FlowRunWaitCreate>;

export const WAIT_OUTCOMES = ["event", "timeout"] as const;
export type WaitOutcome = (typeof WAIT_OUTCOMES)[number];

export const FlowRunWait = Model(
  {
    key: Type.String(),
    event: Nullable(Type.String()),
    match: EventTrigger.properties.match,
    match_related: EventTrigger.properties.match_related,
    created: Timestamp(),
    expires: Timestamp(),
    remaining_seconds: Num({ description: "Until it expires, by the server's clock" }),
    outcome: Nullable(StringEnum(WAIT_OUTCOMES)),
    ended: Nullable(Timestamp()),
    received: Nullable(Event, { description: "The event that ended it" }),
  },
  { $id: "FlowRunWait" },
);
export type FlowRunWait = Static<typeof FlowRunWait>;

/** A run that ends its process until one of its waits has ended. */
export const FlowRunSuspend = Model(
  {
    keys: Type.Array(Type.String({ ...LONG }), {
      minItems: 1,
      maxItems: MAX_KEYS,
      description: "The waits whose end the run has not seen",
    }),
    claim_id: Type.Optional(Nullable(Uuid())),
  },
  { $id: "FlowRunSuspend" },
);
export type FlowRunSuspend = Static<typeof FlowRunSuspend>;
