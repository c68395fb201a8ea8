import { type Static, Type } from "typebox";
import {
  FilterModel,
  Limit,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { recordFields } from "./common.ts";

export const DELIVERY_STATUSES = ["PENDING", "DELIVERED", "FAILED"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
const DeliveryStatus = StringEnum(DELIVERY_STATUSES, {
  description:
    "PENDING until the other side has taken it; FAILED when it never will, or has not in time",
});

export const DELIVERY_ACTIONS = ["send-notification", "call-webhook"] as const;
export type DeliveryAction = (typeof DELIVERY_ACTIONS)[number];

export const DELIVERY_PARTS = ["pending", "delivered", "failed"] as const;
export type DeliveryPart = (typeof DELIVERY_PARTS)[number];

export const Delivery = Model(
  {
    ...recordFields,
    automation_id: Uuid(),
    automation_name: Type.String(),
    action_type: StringEnum(DELIVERY_ACTIONS),
    action_index: Type.Integer(),
    block_document_id: Uuid(),
    block_document_name: Type.String(),
    block_type_slug: Type.String(),
    subject: Nullable(Type.String(), { description: "The beginning of a notification's subject" }),
    status: DeliveryStatus,
    parts: Type.Array(StringEnum(DELIVERY_PARTS), {
      description: "What has become of it for each recipient; empty before the first attempt",
    }),
    attempts: Type.Integer(),
    destination: Nullable(Type.String(), {
      description: "Scheme, host and port of where it went; the rest of the address is secret",
    }),
    status_code: Nullable(Type.Integer(), { description: "The status of the last answer" }),
    last_attempt: Nullable(Timestamp()),
    last_error: Nullable(Type.String(), { description: "Why the last attempt did not succeed" }),
    next_attempt: Nullable(Timestamp(), {
      description: "When it is tried again; while it is being tried, when another server may",
    }),
    give_up: Timestamp({ description: "After this it is not tried again" }),
    settled: Nullable(Timestamp(), { description: "When it was delivered or given up" }),
  },
  {
    $id: "Delivery",
    description: "A message that an automation sends, and what has become of it",
  },
);
export type Delivery = Static<typeof Delivery>;

export const DeliveryFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()) },
    automation_id: { any_: Type.Array(Uuid()) },
    block_document_id: { any_: Type.Array(Uuid()) },
    action_type: { any_: Type.Array(StringEnum(DELIVERY_ACTIONS)) },
    status: { any_: Type.Array(StringEnum(DELIVERY_STATUSES)) },
    created: { before_: Timestamp(), after_: Timestamp() },
  },
  { $id: "DeliveryFilter" },
);

export const DELIVERY_SORTS = ["CREATED_DESC", "CREATED_ASC"] as const;
export type DeliverySort = (typeof DELIVERY_SORTS)[number];

export const DeliveryList = NamedParameters(
  {
    deliveries: Type.Optional(DeliveryFilter),
    sort: Type.Optional(StringEnum(DELIVERY_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "deliveries" },
);

export const DeliveryCount = NamedParameters(
  { deliveries: Type.Optional(DeliveryFilter) },
  { ownFilter: "deliveries" },
);
