import { type Static, Type } from "typebox";
import { JsonObject, Model, Nullable, Slug, StringEnum, Uuid } from "../schema/index.ts";

const MAX_TAG = 200;

export const ALERT_STATUSES = ["down", "degraded", "up"] as const;

const AlertWay = Model(
  {
    block_document_id: Type.Optional(
      Nullable(Uuid(), {
        description: "A block that is there: of any type that can notify, or a webhook",
      }),
    ),
    block_type: Type.Optional(
      Nullable(Slug({ examples: ["slack-webhook", "smtp-email", "webhook"] }), {
        description: "The type of a block that is made for it",
      }),
    ),
    data: Type.Optional(
      Nullable(JsonObject({ description: "The values of the block that is made; kept sealed" })),
    ),
  },
  { $id: "MonitorAlertWay", secret: true },
);

/** Somebody wants to be told when monitors go down and come back. */
export const MonitorAlertCreate = Model(
  {
    monitor_id: Type.Optional(Nullable(Uuid(), { description: "Of this monitor only" })),
    tag: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: MAX_TAG }), {
        description: "Of monitors with this tag only; `*` in it stands for anything",
      }),
    ),
    statuses: Type.Optional(
      Nullable(Type.Array(StringEnum(ALERT_STATUSES), { minItems: 1, maxItems: 3 }), {
        description: "What is told; `down` and `up` when left out",
      }),
    ),
    notify: AlertWay,
    key: Type.Optional(
      Nullable(Slug({ minLength: 1 }), {
        description:
          "Tells alerts about the same monitors apart; the type of the block, or the id of the one that is named, when left out",
      }),
    ),
  },
  { $id: "MonitorAlertCreate", secret: true },
);
export type MonitorAlertCreate = Static<typeof MonitorAlertCreate>;
