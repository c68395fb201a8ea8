import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Int,
  JsonObject,
  JsonValue,
  Limit,
  Model,
  Name,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { recordFields } from "./common.ts";
import { Event } from "./events.ts";

const MAX_DESCRIPTION = 5000;
const MAX_TEMPLATE = 50_000;
const MAX_STATIC_LABELS = 100;
const MAX_LABEL = 1000;
const MAX_HEADER = 100;
const MIN_SECRET = 8;
const MAX_SECRET = 1000;
const MAX_RATE = 60_000;
const DEFAULT_RATE = 600;
const MAX_EVENT_ID = 1000;

const HeaderName = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_HEADER,
    pattern: "^[A-Za-z0-9!#$&'*+.^_`|~-]+$",
    description,
  });

const StaticLabels = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  propertyNames: { type: "string", maxLength: MAX_LABEL },
  additionalProperties: { type: "string", maxLength: MAX_LABEL },
  maxProperties: MAX_STATIC_LABELS,
  description: "Labels of the event's resource, one of which is its id; where there is no template",
});

const settable = {
  name: Name({ minLength: 1, description: "Unique in the workspace" }),
  description: Type.String({ maxLength: MAX_DESCRIPTION }),
  enabled: Flag({ description: "Whether requests become events" }),
  template: Nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEMPLATE,
      description:
        "Turns `method`, `headers`, `query` and `body` of a request into the JSON of an event",
    }),
  ),
  event: Nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_LABEL,
      description:
        "The event's name where there is no template; its payload is the body or, without one, the query",
    }),
  ),
  resource: Nullable(StaticLabels),
  accepts_get: Flag({
    description: "Whether a GET request becomes an event; otherwise it only asks whether one could",
  }),
  rate_limit: Int({
    minimum: 1,
    maximum: MAX_RATE,
    default: DEFAULT_RATE,
    description: "How many requests a minute are taken, by each server",
  }),
  signature_header: Nullable(
    HeaderName(
      "Where the signature stands, if there is a secret; `x-hub-signature-256` when left out",
    ),
  ),
  delivery_header: Nullable(
    HeaderName(
      "A header that names the delivery: one that comes again with the same value makes no second event",
    ),
  ),
} as const;

const Secret = Nullable(
  Type.String({
    minLength: MIN_SECRET,
    maxLength: MAX_SECRET,
    description: "Shared with the sender, who signs bodies with it (HMAC, SHA-256). Never answered",
  }),
);

export const WEBHOOK_STATUSES = [
  "ACCEPTED",
  "INVALID",
  "BAD_SIGNATURE",
  "LIMITED",
  "DISABLED",
] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

const webhookFields = {
  ...recordFields,
  ...settable,
  signed: Type.Boolean({ description: "Whether requests must be signed" }),
  last_received: Nullable(Timestamp(), {
    description: "When the last request came. This and what follows is written a moment later",
  }),
  last_status: Nullable(StringEnum(WEBHOOK_STATUSES), { description: "What became of it" }),
  last_error: Nullable(Type.String(), {
    description: "What was wrong with it, while that has not been followed by one that was right",
  }),
} as const;

export const Webhook = Model(webhookFields, { $id: "Webhook" });
export type Webhook = Static<typeof Webhook>;

/** The only answer that holds the token. */
export const WebhookWithToken = Model(
  {
    ...webhookFields,
    token: Type.String({ description: "Whoever has it can send. It is not shown again" }),
    path: Type.String({ description: "Where requests are sent, on this server" }),
  },
  { $id: "WebhookWithToken" },
);
export type WebhookWithToken = Static<typeof WebhookWithToken>;

export const WebhookCreate = Model(
  {
    name: settable.name,
    description: Type.Optional(Nullable(settable.description)),
    enabled: Type.Optional(Nullable(settable.enabled)),
    template: Type.Optional(settable.template),
    event: Type.Optional(settable.event),
    resource: Type.Optional(settable.resource),
    accepts_get: Type.Optional(Nullable(settable.accepts_get)),
    rate_limit: Type.Optional(Nullable(settable.rate_limit)),
    signature_header: Type.Optional(settable.signature_header),
    delivery_header: Type.Optional(settable.delivery_header),
    secret: Type.Optional(Secret),
  },
  { $id: "WebhookCreate" },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

/** Only the keys that are present change anything. */
export const WebhookUpdate = Model(
  {
    name: Type.Optional(Nullable(settable.name)),
    description: Type.Optional(Nullable(settable.description)),
    enabled: Type.Optional(Nullable(settable.enabled)),
    template: Type.Optional(settable.template),
    event: Type.Optional(settable.event),
    resource: Type.Optional(settable.resource),
    accepts_get: Type.Optional(Nullable(settable.accepts_get)),
    rate_limit: Type.Optional(Nullable(Int({ minimum: 1, maximum: MAX_RATE }))),
    signature_header: Type.Optional(settable.signature_header),
    delivery_header: Type.Optional(settable.delivery_header),
    secret: Type.Optional(Secret),
  },
  { $id: "WebhookUpdate" },
);
export type WebhookUpdate = Static<typeof WebhookUpdate>;

/** What a template has to make. */
export const WebhookEvent = Model(
  {
    event: Event.properties.event,
    resource: Event.properties.resource,
    related: Event.properties.related,
    payload: Event.properties.payload,
    follows: Event.properties.follows,
    occurred: Type.Optional(Nullable(Timestamp())),
    id: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: MAX_EVENT_ID }))),
  },
  { $id: "WebhookEvent" },
);
export type WebhookEvent = Static<typeof WebhookEvent>;

export const WebhookReceipt = Model(
  {
    id: Uuid({ description: "The event's id" }),
    event: Type.String({ description: "The event's name" }),
  },
  { $id: "WebhookReceipt" },
);
export type WebhookReceipt = Static<typeof WebhookReceipt>;

/** A request that nobody sent. */
export const WebhookSample = NamedParameters({
  method: Type.Optional(StringEnum(["POST", "PUT", "GET"], { default: "POST" })),
  headers: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: "object",
      additionalProperties: { type: "string", maxLength: MAX_TEMPLATE },
      maxProperties: MAX_STATIC_LABELS,
    }),
  ),
  query: Type.Optional(JsonObject()),
  body: Type.Optional(JsonValue({ description: "As it is once it was read: JSON, or a text" })),
  template: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEMPLATE,
      description: "To try another template than the one that is stored",
    }),
  ),
});
export type WebhookSample = Static<typeof WebhookSample>;

export const WebhookFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()) },
    name: { any_: Type.Array(Type.String()), like_: Type.String() },
    enabled: { eq_: Flag() },
  },
  { $id: "WebhookFilter" },
);

export const WEBHOOK_SORTS = ["NAME_ASC", "NAME_DESC", "CREATED_DESC", "UPDATED_DESC"] as const;
export type WebhookSort = (typeof WEBHOOK_SORTS)[number];

export const WebhookCount = NamedParameters(
  { webhooks: Type.Optional(WebhookFilter) },
  { ownFilter: "webhooks" },
);

export const WebhookList = NamedParameters(
  {
    webhooks: Type.Optional(WebhookFilter),
    sort: Type.Optional(StringEnum(WEBHOOK_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "webhooks" },
);
