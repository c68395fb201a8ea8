import { type Static, type TSchema, Type } from "typebox";
import {
  Flag,
  JsonObject,
  Limit,
  Model,
  NamedParameters,
  Nullable,
  Num,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";

const MAX_NAME = 1024;
const MAX_LABELS = 500;
const MAX_LABEL_NAME = 1000;
/** Clients put messages of states into labels, up to 100 000 characters of them. */
const MAX_LABEL_VALUE = 131_072;
const MAX_RELATED = 100;
const MAX_VALUES = 1000;
const MAX_PATTERNS = 100;
const MAX_TEXT = 1000;
const MAX_QUERY = 200;

type Labels = Readonly<Record<string, string>>;

const labelsOf = (description: string) =>
  Type.Unsafe<Labels>({
    type: "object",
    propertyNames: { type: "string", maxLength: MAX_LABEL_NAME },
    additionalProperties: { type: "string", maxLength: MAX_LABEL_VALUE },
    maxProperties: MAX_LABELS,
    description,
  });

const keptLabelsOf = (description: string) =>
  Type.Unsafe<Labels>({ type: "object", additionalProperties: { type: "string" }, description });

/**
 * Something that happened. The sender gives it its id, under which it is kept once however often it
 * is sent.
 */
export const Event = Type.Object(
  {
    id: Uuid({ description: "Chosen by the sender; the same id is kept once" }),
    occurred: Timestamp({ description: "When it happened, by the sender's clock" }),
    event: Type.String({ minLength: 1, maxLength: MAX_NAME, examples: ["order.shipped"] }),
    resource: labelsOf("What it happened to: labels by name, one of which is its id"),
    related: Type.Optional(
      Nullable(
        Type.Array(labelsOf("Labels by name, among them its id and its role"), {
          maxItems: MAX_RELATED,
          description: "What else it concerns",
        }),
      ),
    ),
    payload: Type.Optional(Nullable(JsonObject({ description: "What there is to say about it" }))),
    follows: Type.Optional(
      Nullable(Uuid(), { description: "An event that is known to have come before" }),
    ),
  },
  { $id: "Event" },
);
export type Event = Static<typeof Event>;

const list = (item: TSchema = Type.String({ maxLength: MAX_TEXT })) =>
  Type.Optional(Nullable(Type.Unsafe<string[]>(Type.Array(item, { maxItems: MAX_VALUES }))));

/** The values a label may have, by its name. */
const LabelPatterns = Type.Optional(
  Nullable(
    Type.Unsafe<Readonly<Record<string, string | readonly string[]>>>({
      type: "object",
      additionalProperties: {
        anyOf: [
          { type: "string", maxLength: MAX_TEXT },
          {
            type: "array",
            items: { type: "string", maxLength: MAX_TEXT },
            maxItems: MAX_PATTERNS,
          },
        ],
      },
      propertyNames: { type: "string", maxLength: MAX_LABEL_NAME },
      maxProperties: MAX_LABELS,
      description:
        "A value, or several of which one is enough; `*` stands for anything, `?` for one character, a leading `!` for anything else",
    }),
  ),
);

const oneOrMore = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(
    Type.Unsafe<Static<Schema> | readonly Static<Schema>[] | null>({
      anyOf: [schema, { type: "array", items: schema, maxItems: MAX_RELATED }, { type: "null" }],
    }),
  );

const moment = () => Type.Optional(Nullable(Timestamp()));

const OccurredFilter = Model({
  since: moment(),
  until: moment(),
  since_: moment(),
  until_: moment(),
});

const NameFilter = Model({
  prefix: list(),
  exclude_prefix: list(),
  name: list(),
  exclude_name: list(),
});

const ResourceFilter = Model({
  id: list(),
  id_prefix: list(),
  labels: LabelPatterns,
  distinct: Type.Optional(Nullable(Flag({ description: "Only the first event of each resource" }))),
});

const RelatedFilter = Model({
  id: list(),
  role: list(),
  resources_in_roles: Type.Optional(
    Nullable(
      Type.Unsafe<(readonly [id: string, role: string])[]>({
        type: "array",
        maxItems: MAX_VALUES,
        items: {
          type: "array",
          items: { type: "string", maxLength: MAX_TEXT },
          minItems: 2,
          maxItems: 2,
        },
      }),
    ),
  ),
  labels: LabelPatterns,
});
export type EventRelatedFilter = Static<typeof RelatedFilter>;

const AnyResourceFilter = Model({ id: list(), id_prefix: list(), labels: LabelPatterns });
export type EventAnyResourceFilter = Static<typeof AnyResourceFilter>;

/** Which events are meant. Everything may be left out or null. */
export const EventFilter = Model(
  {
    occurred: Type.Optional(Nullable(OccurredFilter)),
    event: Type.Optional(Nullable(NameFilter)),
    resource: Type.Optional(Nullable(ResourceFilter)),
    related: oneOrMore(RelatedFilter),
    any_resource: oneOrMore(AnyResourceFilter),
    id: Type.Optional(Nullable(Model({ id: list(Uuid()) }))),
    text: Type.Optional(
      Nullable(
        Model({
          query: Type.String({
            maxLength: MAX_QUERY,
            description:
              'Words are alternatives; `+word` must occur, `-word` or `!word` must not, `"words in a row"` are one term.',
          }),
        }),
      ),
    ),
    order: Type.Optional(Nullable(StringEnum(["ASC", "DESC"]))),
  },
  { $id: "EventFilter" },
);
export type EventFilter = Static<typeof EventFilter>;

const MAX_EVENTS = 200;
const DEFAULT_EVENTS = 50;

export const EventFilterRequest = NamedParameters({
  filter: Type.Optional(EventFilter),
  limit: Limit(MAX_EVENTS, DEFAULT_EVENTS),
  offset: Offset(),
});

export const EventPageToken = NamedParameters({
  "page-token": Type.String({ description: "From the address of the next page" }),
});

/** An event as it is kept. */
export const ReceivedEvent = Type.Object(
  {
    id: Uuid(),
    occurred: Timestamp(),
    event: Type.String(),
    resource: keptLabelsOf("What it happened to"),
    related: Type.Array(keptLabelsOf("What else it concerns")),
    payload: JsonObject(),
    follows: Nullable(Uuid()),
    received: Timestamp({ description: "When it arrived, by the server's clock" }),
  },
  { $id: "ReceivedEvent" },
);

export const EventPage = Model(
  {
    events: Type.Array(ReceivedEvent),
    total: Type.Integer({ description: "How many there were at the time of the first page" }),
    next_page: Nullable(Type.String({ description: "Where the list goes on; null at its end" })),
  },
  { $id: "EventPage" },
);

export const EventCountable = Type.Object({
  countable: StringEnum(["day", "time", "event", "resource"], {
    description: "What to count by; `day` and `time` are the same",
  }),
});

export const EventCountRequest = NamedParameters({
  filter: EventFilter,
  time_unit: Type.Optional(
    StringEnum(["week", "day", "hour", "minute", "second"], { default: "day" }),
  ),
  time_interval: Type.Optional(
    Num({
      minimum: 0.01,
      maximum: 1_000_000,
      default: 1,
      description: "How many units an interval has, which may be ten years long",
    }),
  ),
});
export type EventCountRequest = Static<typeof EventCountRequest>;

export const EventCount = Model(
  {
    value: Type.String(),
    label: Type.String(),
    count: Type.Integer(),
    start_time: Timestamp(),
    end_time: Timestamp(),
  },
  { $id: "EventCount" },
);
export type EventCount = Static<typeof EventCount>;
