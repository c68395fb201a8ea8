import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Limit,
  Model,
  Name,
  NamedParameters,
  Nullable,
  Offset,
  Seconds,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { recordFields } from "./common.ts";

const TEN_YEARS = 315_360_000;
const MAX_SLAS = 20;
const MAX_RESOURCE = 255;

export const SLA_KINDS = ["duration", "lateness", "freshness"] as const;
export type SlaKind = (typeof SLA_KINDS)[number];
const SlaKind = StringEnum(SLA_KINDS, {
  description:
    "`duration`: a run may take so long from its start. `lateness`: it starts so long after its expected start at the latest. " +
    "`freshness`: so long after a run has completed another one has.",
});

export const SLA_SEVERITIES = ["minor", "low", "moderate", "high", "critical"] as const;
const SlaSeverity = StringEnum(SLA_SEVERITIES, {
  description: "Told in the events; `moderate` when left out",
});

export const SLA_STATUSES = ["OK", "VIOLATED", "DISABLED"] as const;

const span = (description: string) => Seconds({ minimum: 1, maximum: TEN_YEARS, description });

const SlaName = Name({ minLength: 1, description: "Unique among those of the deployment" });

export const Sla = Model(
  {
    ...recordFields,
    deployment_id: Uuid(),
    name: SlaName,
    kind: SlaKind,
    seconds: Type.Number({ description: "The bound" }),
    severity: SlaSeverity,
    enabled: Type.Boolean(),
    status: StringEnum(SLA_STATUSES, { description: "VIOLATED while a violation lasts" }),
    open_violations: Type.Integer({ description: "How many violations last" }),
    violations: Type.Integer({ description: "How many there have been" }),
    last_violated: Nullable(Timestamp(), { description: "When the bound was last passed" }),
    last_violated_flow_run_id: Nullable(Uuid(), {
      description: "The run that passed it; null for `freshness`",
    }),
    last_restored: Nullable(Timestamp(), { description: "When a violation last ended" }),
    since: Nullable(Timestamp(), {
      description:
        "For `freshness` what it counts from: the last completed run or, before there is one, when it began to count. " +
        "Otherwise since when runs are under it",
    }),
  },
  { $id: "Sla" },
);
export type Sla = Static<typeof Sla>;

const bounds = {
  kind: Type.Optional(Nullable(SlaKind)),
  seconds: Type.Optional(Nullable(span("The bound, with `kind`"))),
  duration: Type.Optional(Nullable(span("The bound of `duration`, in place of the two"))),
  within: Type.Optional(Nullable(span("The bound of `lateness`, in place of the two"))),
  stale_after: Type.Optional(Nullable(span("The bound of `freshness`, in place of the two"))),
} as const;

export const SlaCreate = Model(
  {
    name: SlaName,
    severity: Type.Optional(Nullable(SlaSeverity)),
    enabled: Type.Optional(Nullable(Flag())),
    ...bounds,
    owner_resource: Type.Optional(
      Nullable(
        Type.String({
          maxLength: MAX_RESOURCE,
          description: "Ignored: the address names the owner",
        }),
      ),
    ),
  },
  { $id: "SlaCreate" },
);
export type SlaCreate = Static<typeof SlaCreate>;

/** Only the keys that are present change anything; the kind stays. */
export const SlaUpdate = Model(
  {
    name: Type.Optional(Nullable(SlaName)),
    severity: Type.Optional(Nullable(SlaSeverity)),
    enabled: Type.Optional(Nullable(Flag())),
    seconds: bounds.seconds,
  },
  { $id: "SlaUpdate" },
);
export type SlaUpdate = Static<typeof SlaUpdate>;

/** All those of a deployment. */
export const SlaSet = Type.Array(SlaCreate, { maxItems: MAX_SLAS });
export const MAX_SLAS_OF_DEPLOYMENT = MAX_SLAS;

export const SlaMerge = Model(
  { created: Type.Array(Sla), updated: Type.Array(Sla), deleted: Type.Array(Sla) },
  { $id: "SlaMerge" },
);
export type SlaMerge = Static<typeof SlaMerge>;

export const ByResource = Type.Object({
  resource: Type.String({
    maxLength: MAX_RESOURCE,
    description: "The resource id of a deployment",
    examples: ["orchestrator.deployment.0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55"],
  }),
});

export const SlaFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()) },
    deployment_id: { any_: Type.Array(Uuid()) },
    name: { any_: Type.Array(Type.String()), like_: Type.String() },
    kind: { any_: Type.Array(SlaKind) },
    severity: { any_: Type.Array(SlaSeverity) },
    enabled: { eq_: Flag() },
    status: { any_: Type.Array(StringEnum(SLA_STATUSES)) },
  },
  { $id: "SlaFilter" },
);

export const SLA_SORTS = ["NAME_ASC", "CREATED_DESC", "LAST_VIOLATED_DESC"] as const;
export type SlaSort = (typeof SLA_SORTS)[number];

export const SlaCount = NamedParameters({ slas: Type.Optional(SlaFilter) }, { ownFilter: "slas" });

export const SlaList = NamedParameters(
  {
    slas: Type.Optional(SlaFilter),
    sort: Type.Optional(StringEnum(SLA_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "slas" },
);
