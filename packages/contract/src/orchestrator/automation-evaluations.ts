import { type Static, Type } from "typebox";
import {
  Limit,
  Model,
  NamedParameters,
  Nullable,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { Trigger } from "./automation-triggers.ts";
import { Event } from "./events.ts";

const MAX_GIVEN_EVENTS = 1000;
const MAX_ENTRIES = 1000;
const DEFAULT_ENTRIES = 100;

export const VERDICTS = [
  "fired",
  "counted",
  "window-opened",
  "before-window",
  "no-window",
  "window-over",
  "window-ended",
  "expected-came",
  "others-missing",
  "others-too-old",
  "wrong-order",
  "other-labels",
  "own-event",
  "chain-too-long",
  "not-named",
  "throttled",
  "quota-used-up",
  "leader-missing",
] as const;
export type Verdict = (typeof VERDICTS)[number];

const ToldEvent = Model({ id: Uuid(), event: Type.String(), occurred: Timestamp() });

const Labels = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  additionalProperties: { type: "string" },
  description: "The labels in `for_each` and their values; long ones are cut",
});

/** Something that happened to a trigger, or nearly did. */
export const TriggerEvaluation = Model(
  {
    time: Timestamp(),
    verdict: StringEnum(VERDICTS, { description: "`fired`, or why it did not" }),
    message: Type.String({ description: "The same in one sentence" }),
    trigger_id: Uuid({ description: "The trigger, which may stand within another" }),
    labels: Labels,
    event: Nullable(ToldEvent, { description: "The event it is about; null where time went by" }),
    count: Type.Integer({ description: "How many had come, of events or of triggers within" }),
    threshold: Type.Integer({ description: "How many are needed; 0 where none were counted" }),
    window: Nullable(Model({ starts: Timestamp(), ends: Timestamp() })),
    mismatch: Nullable(
      Model({
        part: StringEnum(["match", "match_related"]),
        label: Type.String(),
        wanted: Type.Array(Type.String()),
        found: Nullable(Type.String()),
      }),
      { description: "Which label is not as it is wanted" },
    ),
    times: Type.Integer({ description: "How often in a row; the rest is about the last time" }),
  },
  { $id: "TriggerEvaluation" },
);
export type TriggerEvaluation = Static<typeof TriggerEvaluation>;

/** What has kept an automation from firing. */
const AutomationThrottle = Model(
  {
    reason: Type.String({
      description: "The limit that was reached: `firings_per_minute`, or a quota of the workspace",
    }),
    since: Timestamp(),
    until: Nullable(Timestamp(), {
      description: "When it fires again, or did; null where that is not known",
    }),
    matches: Type.Integer({ description: "How many matches did not make it fire since then" }),
    is_active: Type.Boolean({ description: "Whether it is kept from firing now" }),
    message: Type.String({ description: "Which limit it is, and what to do" }),
  },
  { $id: "AutomationThrottle" },
);
export type AutomationThrottle = Static<typeof AutomationThrottle>;

export const AutomationTrace = Model(
  {
    firings: Type.Array(TriggerEvaluation, { description: "The last ones, newest first" }),
    near_misses: Type.Array(TriggerEvaluation, { description: "The last ones, newest first" }),
    throttle: Type.Optional(
      Type.Unsafe<AutomationThrottle>({
        ...AutomationThrottle,
        description: "What has kept it from firing last; not there where nothing ever has",
      }),
    ),
  },
  { $id: "AutomationTrace" },
);
export type AutomationTrace = Static<typeof AutomationTrace>;

const SimulatedEvent = Type.Object({
  ...Event.properties,
  received: Type.Optional(
    Nullable(Timestamp(), { description: "When it arrives; when it occurred unless given" }),
  ),
});
export type SimulatedEvent = Static<typeof SimulatedEvent>;

export const AutomationSimulate = NamedParameters(
  {
    automation_id: Type.Optional(Uuid({ description: "An automation whose trigger is tried out" })),
    trigger: Type.Optional(Trigger),
    since: Type.Optional(
      Timestamp({ description: "Events of the log from when they arrived; a day unless given" }),
    ),
    until: Type.Optional(Timestamp({ description: "Now unless given" })),
    events: Type.Optional(
      Type.Array(SimulatedEvent, {
        maxItems: MAX_GIVEN_EVENTS,
        description: "Events in the order of their arrival, in the place of those of the log",
      }),
    ),
    limit: Limit(MAX_ENTRIES, DEFAULT_ENTRIES),
  },
  { $id: "AutomationSimulate" },
);
export type AutomationSimulate = Static<typeof AutomationSimulate>;

const SimulatedFiring = Model({
  time: Timestamp(),
  labels: Labels,
  event: Nullable(ToldEvent, { description: "What the firing would have been about" }),
  events: Type.Array(ToldEvent, { description: "The events that made it fire; the last of many" }),
  count: Type.Integer({ description: "How many had come, of events or of triggers within" }),
  threshold: Type.Integer({ description: "How many are needed" }),
  window: Nullable(Model({ starts: Timestamp(), ends: Timestamp() })),
});

export const TRUNCATIONS = ["events", "bytes", "steps", "patterns", "log"] as const;

export const AutomationSimulation = Model(
  {
    since: Nullable(Timestamp()),
    until: Nullable(Timestamp(), { description: "Up to when events and time were looked at" }),
    events_read: Type.Integer(),
    events_named: Type.Integer({ description: "Those whose name the trigger knows" }),
    firings_total: Type.Integer(),
    firings: Type.Array(SimulatedFiring, { description: "The first ones, up to the limit" }),
    near_misses: Type.Array(TriggerEvaluation, { description: "The first ones, up to the limit" }),
    verdicts: Type.Unsafe<Readonly<Record<string, number>>>({
      type: "object",
      additionalProperties: { type: "integer" },
      description: "How often each verdict was reached",
    }),
    truncated: Type.Boolean({ description: "Whether it stopped before the end" }),
    truncated_by: Nullable(StringEnum(TRUNCATIONS), {
      description: "What there was too much of",
    }),
  },
  { $id: "AutomationSimulation" },
);
export type AutomationSimulation = Static<typeof AutomationSimulation>;
