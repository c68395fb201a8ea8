import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  Limit,
  LONG,
  Model,
  Name,
  NamedParameters,
  Nullable,
  Num,
  Offset,
  Seconds,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { MAX_WAIT_SECONDS, recordFields } from "./common.ts";

const MAX_SLOTS = 1_000_000_000_000;
const MAX_NAMES = 200;
/** Those of tags have a prefix. */
const MAX_NAME_LENGTH = LONG.maxLength + 100;
const MAX_DECAY_PER_SECOND = 1_000_000;
const MAX_OCCUPANCY_SECONDS = 1_000_000_000;

const SlotCount = (description: string) =>
  Int({ minimum: 0, maximum: MAX_SLOTS, default: 0, description });
const Size = () =>
  Int({ minimum: 0, maximum: MAX_SLOTS, description: "How many slots there are in all" });
const Decay = (options: { readonly default?: number } = {}) =>
  Num({
    ...options,
    minimum: 0,
    maximum: MAX_DECAY_PER_SECOND,
    description: "How many slots become free by themselves every second; 0: none do",
  });

const MAX_KEY_LENGTH = 200;
const MAX_TEMPLATE_LENGTH = 1000;
export const KEY_TEMPLATE = { minLength: 1, maxLength: MAX_TEMPLATE_LENGTH } as const;
const KeyName = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_KEY_LENGTH, description }));

/** What separates flow runs that do not share slots. */
export const SlotKey = Type.Object(
  {
    parameter: KeyName("The name of a parameter of the flow runs"),
    tag_prefix: KeyName("What the tags begin with that count, each for itself"),
    template: Type.Optional(
      Type.String({
        ...KEY_TEMPLATE,
        description: "A text with placeholders, such as `{{ parameters.customer }}`",
      }),
    ),
  },
  { $id: "ConcurrencySlotKey", additionalProperties: false, minProperties: 1, maxProperties: 1 },
);
export type SlotKey = Static<typeof SlotKey>;

const Key = () =>
  Nullable(SlotKey, {
    description: "With a key, the limit has all its slots for every single value of it",
  });

/** A limit and how much of it is in use. */
export const ConcurrencyLimitState = Model(
  {
    ...recordFields,
    active: Type.Boolean({ description: "One that is not active never holds anybody up" }),
    name: Type.String(),
    limit: Type.Integer(),
    active_slots: Type.Integer({ description: "How many slots are in use now" }),
    slot_decay_per_second: Type.Number(),
    key: Key(),
  },
  { $id: "GlobalConcurrencyLimitResponse" },
);
export type ConcurrencyLimitState = Static<typeof ConcurrencyLimitState>;

/** A limit with all that is known of it. */
export const ConcurrencyLimitRecord = Model(
  {
    ...recordFields,
    active: Type.Boolean(),
    name: Type.String(),
    limit: Type.Integer(),
    active_slots: Type.Integer(),
    denied_slots: Type.Integer({ description: "How many slots were asked for in vain lately" }),
    slot_decay_per_second: Type.Number(),
    avg_slot_occupancy_seconds: Type.Number({ description: "How long a slot is usually held" }),
    key: Key(),
  },
  { $id: "ConcurrencyLimitV2" },
);
export type ConcurrencyLimitRecord = Static<typeof ConcurrencyLimitRecord>;

export const ConcurrencyLimitCreate = Model(
  {
    active: Flag({ default: true }),
    name: Name(LONG),
    limit: Size(),
    active_slots: SlotCount("How many are in use from the beginning, held by nobody in particular"),
    denied_slots: SlotCount("How many are taken to have been asked for in vain"),
    slot_decay_per_second: Decay({ default: 0 }),
    key: Type.Optional(Key()),
  },
  { $id: "ConcurrencyLimitV2Create" },
);
export type ConcurrencyLimitCreate = Static<typeof ConcurrencyLimitCreate>;

/** Only the keys that are present change anything. */
export const ConcurrencyLimitUpdate = Model(
  {
    active: Type.Optional(Nullable(Flag())),
    name: Type.Optional(Nullable(Name(LONG))),
    limit: Type.Optional(Nullable(Size())),
    active_slots: Type.Optional(Nullable(Int({ minimum: 0, maximum: MAX_SLOTS }))),
    denied_slots: Type.Optional(Nullable(Int({ minimum: 0, maximum: MAX_SLOTS }))),
    slot_decay_per_second: Type.Optional(Nullable(Decay())),
    key: Type.Optional(Key()),
  },
  { $id: "ConcurrencyLimitV2Update" },
);
export type ConcurrencyLimitUpdate = Static<typeof ConcurrencyLimitUpdate>;

export const ConcurrencyLimitKey = Type.Object({ id_or_name: Type.String() });

export const ConcurrencyLimitList = NamedParameters({ limit: Limit(), offset: Offset() });

const HOLDER_TYPES = ["flow_run", "task_run", "deployment"] as const;

export const ConcurrencyLeaseHolder = Model(
  { type: StringEnum(HOLDER_TYPES), id: Uuid() },
  { $id: "ConcurrencyLeaseHolder", description: "Who the slots are for" },
);

const Slots = () =>
  Int({
    exclusiveMinimum: 0,
    maximum: MAX_SLOTS,
    description: "How many slots of each of the limits",
  });
const Names = () =>
  Type.Array(Type.String({ maxLength: MAX_NAME_LENGTH }), {
    minItems: 1,
    maxItems: MAX_NAMES,
    description: "The names of the limits; those that there are none of are passed over",
  });
const Mode = () =>
  StringEnum(["concurrency", "rate_limit"], {
    default: "concurrency",
    description: "`rate_limit` takes only limits whose slots become free by themselves",
  });
const LeaseDuration = () =>
  Seconds({
    minimum: 60,
    maximum: 86_400,
    default: 300,
    description: "For how many seconds the slots are held unless the lease is renewed",
  });

const WaitForSlots = () =>
  Type.Optional(
    Num({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      description:
        "Answer when there are slots, or after so many seconds; at once where it is left out",
    }),
  );

export const SlotIncrement = NamedParameters({
  slots: Slots(),
  names: Names(),
  mode: Mode(),
  wait_seconds: WaitForSlots(),
});
export type SlotIncrement = Static<typeof SlotIncrement>;

export const SlotLease = NamedParameters({
  slots: Slots(),
  names: Names(),
  mode: Mode(),
  lease_duration: LeaseDuration(),
  holder: Type.Optional(ConcurrencyLeaseHolder),
  wait_seconds: WaitForSlots(),
});
export type SlotLease = Static<typeof SlotLease>;

export const SlotDecrement = NamedParameters({
  slots: Slots(),
  names: Names(),
  occupancy_seconds: Type.Optional(
    Num({
      exclusiveMinimum: 0,
      maximum: MAX_OCCUPANCY_SECONDS,
      description: "For how many seconds the slots were held",
    }),
  ),
});
export type SlotDecrement = Static<typeof SlotDecrement>;

export const SlotLeaseEnd = NamedParameters({ lease_id: Uuid() });

export const LeaseKey = Type.Object({ lease_id: Uuid() });
export const LeaseRenewal = NamedParameters({ lease_duration: LeaseDuration() });

/** A limit that slots were taken of, or given back to. */
export const TouchedLimit = Model(
  { id: Uuid(), name: Type.String(), limit: Type.Integer() },
  { $id: "MinimalConcurrencyLimitResponse" },
);
export type TouchedLimit = Static<typeof TouchedLimit>;

export const SlotLeaseResult = Model(
  { lease_id: Uuid(), limits: Type.Array(TouchedLimit) },
  { $id: "ConcurrencyLimitWithLeaseResponse" },
);
export type SlotLeaseResult = Static<typeof SlotLeaseResult>;

/** Somebody who has slots of a limit. */
export const SlotHolder = Model(
  {
    lease_id: Nullable(Uuid(), { description: "Null: the slots are held without a lease" }),
    holder: Nullable(Model({ type: Type.String(), id: Uuid() }), {
      description: "Null: nobody said who it is",
    }),
    slots: Type.Integer(),
    key: Nullable(Type.String(), {
      description: "Which value of the limit's key they are for; null where there is none",
    }),
    acquired: Timestamp(),
    expires: Nullable(Timestamp(), {
      description: "Null: they are held until they are given back",
    }),
  },
  { $id: "ConcurrencySlotHolder" },
);
export type SlotHolder = Static<typeof SlotHolder>;

export const SlotHolderPage = NamedParameters({ limit: Limit(), offset: Offset() });
