import { type Static, type TSchema, Type } from "typebox";
import { Int, Nullable, Seconds, StringEnum, TaggedUnion, Uuid } from "../schema/index.ts";

const MAX_NAMES = 200;
const MAX_NAME = 1024;
const MAX_LABELS = 100;
const MAX_PATTERNS = 200;
const MAX_CHILDREN = 50;
const MAX_THRESHOLD = 1_000_000;
/** A hundred years, so that the end of every window is a time that can be kept. */
const MAX_SECONDS = 3_153_600_000;

const names = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_NAME }), {
      maxItems: MAX_NAMES,
      description,
    }),
  );

/** Patterns by label: one, or several of which one has to fit. */
const Labels = Type.Unsafe<Readonly<Record<string, string | readonly string[]>>>({
  type: "object",
  additionalProperties: {
    anyOf: [
      { type: "string", maxLength: MAX_NAME },
      { type: "array", items: { type: "string", maxLength: MAX_NAME }, maxItems: MAX_PATTERNS },
    ],
  },
  maxProperties: MAX_LABELS,
});
export type LabelPatterns = Static<typeof Labels>;

export const POSTURES = ["Reactive", "Proactive"] as const;

/** Keys that are not known are ignored. */
export const EventTrigger = Type.Object(
  {
    type: Type.Literal("event"),
    id: Type.Optional(Nullable(Uuid({ description: "Chosen by the server" }))),
    match: Type.Optional(Labels),
    match_related: Type.Optional(
      Type.Unsafe<LabelPatterns | readonly LabelPatterns[]>({
        anyOf: [Labels, { type: "array", items: Labels, maxItems: MAX_CHILDREN }],
      }),
    ),
    after: names("Events that have to come first"),
    expect: names("Events that are waited for; `*` stands for anything. Every event when empty"),
    for_each: names("Labels whose values are looked at one by one"),
    posture: StringEnum(POSTURES, {
      description: "Whether it fires when the events come or when they do not",
    }),
    threshold: Type.Optional(Int({ minimum: 1, maximum: MAX_THRESHOLD })),
    within: Type.Optional(Seconds({ minimum: 0, maximum: MAX_SECONDS })),
  },
  { $id: "EventTrigger" },
);
export type EventTrigger = Static<typeof EventTrigger>;

const composite = (children: TSchema, level: string) => {
  const fields = {
    id: Type.Optional(Nullable(Uuid({ description: "Chosen by the server" }))),
    triggers: Type.Unsafe<readonly unknown[]>({
      type: "array",
      items: children,
      minItems: 1,
      maxItems: MAX_CHILDREN,
    }),
    within: Nullable(Seconds({ minimum: 0, maximum: MAX_SECONDS })),
  };
  const Compound = Type.Object(
    {
      type: Type.Literal("compound"),
      ...fields,
      require: Type.Unsafe<number | "any" | "all">({
        anyOf: [{ enum: ["any", "all"], type: "string" }, Int({ minimum: 1 })],
        description: "How many of the triggers have to fire",
      }),
    },
    { $id: `CompoundTrigger${level}` },
  );
  const Sequence = Type.Object(
    { type: Type.Literal("sequence"), ...fields },
    { $id: `SequenceTrigger${level}` },
  );
  return TaggedUnion("type", [EventTrigger, Compound, Sequence]);
};

const events = TaggedUnion("type", [EventTrigger]);

/** Triggers may stand in triggers, three levels deep. */
export const Trigger = composite(composite(composite(events, "Innermost"), "Inner"), "");
export type Trigger = Static<typeof Trigger>;
