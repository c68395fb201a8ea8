import { type Static, Type } from "typebox";
import {
  Int,
  Limit,
  Model,
  NamedParameters,
  Nullable,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";

export const AUDIT_RESULTS = ["done", "refused", "failed"] as const;

export const AuditEntry = Model(
  {
    id: Uuid(),
    occurred: Timestamp(),
    account_id: Uuid(),
    workspace_id: Nullable(Uuid(), { description: "Null for what stands above workspaces." }),
    actor_kind: StringEnum(["user", "service", "login", "unknown"], {
      description: "`login` is the uptime service's own; `unknown` could not sign in.",
    }),
    actor_id: Nullable(Uuid()),
    actor_name: Type.String({ description: "As it was called then." }),
    api_key_id: Nullable(Uuid(), { description: "Null where no key was used, as in a browser." }),
    api_key_prefix: Nullable(Type.String()),
    operation: Type.String({ description: "As the API documents call it." }),
    method: Type.String(),
    route: Type.String({ description: "The address, with names in place of what was given." }),
    permission: Type.String({ description: "What the operation takes." }),
    resource_id: Nullable(Type.String(), {
      description: "The id, or the name, of what it was done to or of what was made.",
    }),
    resource_name: Nullable(Type.String(), {
      description: "What that is called now; null where it is gone or has no name.",
    }),
    resource: Type.Record(Type.String(), Type.String(), {
      description:
        "What was given in place of the names in the address; of a sign-in through a provider that failed, the `problem`.",
    }),
    result: StringEnum(AUDIT_RESULTS, {
      description:
        "`done`: the change is stored, or what was asked for was handed out. `refused`: whoever asked may not do this. `failed`: it could not be done.",
    }),
    status: Nullable(Int(), {
      description: "Of the answer; null where it was stored with the change and may be one of two.",
    }),
    address: Type.String({ description: "Where the request came from." }),
    user_agent: Type.String(),
    request_id: Type.String(),
  },
  { $id: "AuditEntry" },
);
export type AuditEntry = Static<typeof AuditEntry>;

const word = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }));

const filters = () => ({
  actor_id: Type.Optional(Uuid()),
  api_key_id: Type.Optional(Uuid()),
  operation: word("As the API documents call it, such as `createVariable`."),
  resource_id: word("The id or the name of what it was done to."),
  workspace_id: Type.Optional(Uuid()),
  request_id: word("The id that an answer had in `X-Request-Id`."),
  result: Type.Optional(StringEnum(AUDIT_RESULTS)),
  since: Type.Optional(Timestamp({ description: "Not before this." })),
  until: Type.Optional(Timestamp({ description: "Before this." })),
});

const MAX_PAGE = 200;

/** Everything that is given must fit. */
export const AuditFilter = NamedParameters(
  {
    ...filters(),
    limit: Limit(MAX_PAGE),
    cursor: Type.Optional(Uuid({ description: "What the page before gave as `next_cursor`." })),
  },
  { $id: "AuditFilter" },
);
export type AuditFilter = Static<typeof AuditFilter>;

export const AuditSelection = NamedParameters(filters());
export type AuditSelection = Static<typeof AuditSelection>;

export const AuditPage = Model(
  {
    entries: Type.Array(AuditEntry),
    next_cursor: Nullable(Uuid(), { description: "Null where there are no older ones." }),
  },
  { $id: "AuditPage" },
);
export type AuditPage = Static<typeof AuditPage>;
