import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Limit,
  LONG,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { Action } from "./automation-actions.ts";
import { Trigger } from "./automation-triggers.ts";
import { recordFields, Tags } from "./common.ts";

const MAX_DESCRIPTION = 100_000;
const MAX_ACTIONS = 100;

const Actions = Type.Array(Action, { maxItems: MAX_ACTIONS });

export const Automation = Model(
  {
    ...recordFields,
    name: Type.String(),
    description: Type.String(),
    enabled: Type.Boolean(),
    tags: Tags,
    trigger: Trigger,
    actions: Actions,
    actions_on_trigger: Actions,
    actions_on_resolve: Actions,
  },
  { $id: "Automation", description: "What is done when certain events happen, or fail to" },
);
export type Automation = Static<typeof Automation>;

const given = {
  name: Type.String({ minLength: 1, ...LONG }),
  description: Type.Optional(Nullable(Type.String({ maxLength: MAX_DESCRIPTION }))),
  enabled: Type.Optional(Nullable(Flag())),
  tags: Type.Optional(Nullable(Tags)),
  trigger: Trigger,
  actions: Actions,
  actions_on_trigger: Type.Optional(Nullable(Actions)),
  actions_on_resolve: Type.Optional(Nullable(Actions)),
} as const;

export const AutomationCreate = Model(
  {
    ...given,
    owner_resource: Type.Optional(
      Nullable(Type.String(LONG), {
        description: "The resource it belongs to; all that belong to one can be deleted together",
      }),
    ),
  },
  { $id: "AutomationCreate" },
);
export type AutomationCreate = Static<typeof AutomationCreate>;

/**
 * Takes the place of what was there; what may be left out stays as it was. The whole record may be
 * sent, as it was read.
 */
export const AutomationReplace = Model(
  {
    id: Type.Optional(Uuid({ description: "That of the address" })),
    created: Type.Optional(Timestamp({ description: "Changes nothing" })),
    updated: Type.Optional(Timestamp({ description: "Changes nothing" })),
    ...given,
  },
  { $id: "AutomationReplace" },
);
export type AutomationReplace = Static<typeof AutomationReplace>;

export const AutomationSwitch = Model(
  { enabled: Type.Optional(Nullable(Flag())) },
  { $id: "AutomationSwitch" },
);

export const AutomationResource = Type.Object({
  resource_id: Type.String({ ...LONG, examples: ["prefect.deployment.<id>"] }),
});

export const AutomationFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()) },
    name: { any_: Type.Array(Type.String()) },
    created: { before_: Timestamp() },
    tags: { all_: Type.Array(Type.String()), any_: Type.Array(Type.String()), is_null_: Flag() },
  },
  { $id: "AutomationFilter" },
);

export const AUTOMATION_SORTS = ["NAME_ASC", "NAME_DESC", "CREATED_DESC", "UPDATED_DESC"] as const;
export type AutomationSort = (typeof AUTOMATION_SORTS)[number];

export const AutomationList = NamedParameters(
  {
    automations: Type.Optional(AutomationFilter),
    sort: Type.Optional(StringEnum(AUTOMATION_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "automations" },
);

export const AutomationCount = NamedParameters(
  { automations: Type.Optional(AutomationFilter) },
  { ownFilter: "automations" },
);
