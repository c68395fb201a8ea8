import { type Static, type TUnsafe, Type } from "typebox";
import { Int, Model, Name, Nullable, StringEnum, Timestamp, Uuid } from "../schema/index.ts";

/** From the least to the most that a caller may do. */
export const ROLES = ["viewer", "runner", "developer", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const RoleWord = (): TUnsafe<Role> =>
  StringEnum(ROLES, { description: "What may be done, from `viewer` (least) to `owner` (most)." });

const Handle = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$",
    description: "Lower-case letters, digits and dashes; stands for the name in commands.",
    examples: ["shop"],
  });
const Description = () => Type.String({ maxLength: 2000 });

export const AccountId = Type.Object({ account_id: Uuid() });
export const WorkspaceId = Type.Object({ account_id: Uuid(), workspace_id: Uuid() });
export const AccountPartId = Type.Object({ account_id: Uuid(), id: Uuid() });

export const HandleConfirmation = Type.Object({
  handle: Type.String({
    maxLength: 64,
    description: "The handle of what is to be deleted, so that nothing is deleted by mistake.",
  }),
});

export const Account = Model(
  { id: Uuid(), created: Timestamp(), updated: Timestamp(), name: Name(), handle: Handle() },
  { $id: "Account" },
);
export type Account = Static<typeof Account>;

export const AccountCreate = Model({ name: Name(), handle: Handle() }, { $id: "AccountCreate" });
export type AccountCreate = Static<typeof AccountCreate>;

export const AccountUpdate = Model(
  { name: Type.Optional(Name()), handle: Type.Optional(Handle()) },
  { $id: "AccountUpdate" },
);
export type AccountUpdate = Static<typeof AccountUpdate>;

export const Workspace = Model(
  {
    id: Uuid(),
    account_id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    name: Name(),
    handle: Handle(),
    description: Description(),
  },
  { $id: "Workspace" },
);
export type Workspace = Static<typeof Workspace>;

export const WorkspaceCreate = Model(
  { name: Name(), handle: Handle(), description: Type.Optional(Description()) },
  { $id: "WorkspaceCreate" },
);
export type WorkspaceCreate = Static<typeof WorkspaceCreate>;

export const WorkspaceUpdate = Model(
  {
    name: Type.Optional(Name()),
    handle: Type.Optional(Handle()),
    description: Type.Optional(Description()),
  },
  { $id: "WorkspaceUpdate" },
);
export type WorkspaceUpdate = Static<typeof WorkspaceUpdate>;

export const ServiceAccount = Model(
  {
    id: Uuid(),
    account_id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    name: Name(),
    role: RoleWord(),
  },
  { $id: "ServiceAccount" },
);
export type ServiceAccount = Static<typeof ServiceAccount>;

export const ServiceAccountCreate = Model(
  { name: Name(), role: RoleWord() },
  { $id: "ServiceAccountCreate" },
);
export type ServiceAccountCreate = Static<typeof ServiceAccountCreate>;

const MOST_REQUESTS = 10_000_000;
const RequestsPerMinute = () => Int({ minimum: 0, maximum: MOST_REQUESTS });

const keyFields = () => ({
  id: Uuid(),
  account_id: Uuid(),
  created: Timestamp(),
  name: Name(),
  prefix: Type.String({ description: "The first characters of the key, to recognise it by." }),
  role: RoleWord(),
  user_id: Nullable(Uuid()),
  service_account_id: Nullable(Uuid()),
  workspace_ids: Nullable(Type.Array(Uuid()), {
    description: "The workspaces it is good for; null for all of the account.",
  }),
  expires: Nullable(Timestamp()),
  last_used: Nullable(Timestamp(), { description: "To within some seconds." }),
  requests_per_minute: Nullable(Int(), {
    description:
      "How often it may ask; 0 for any number, null where the setting of the server counts.",
  }),
});

export const ApiKey = Model(keyFields(), { $id: "ApiKey" });
export type ApiKey = Static<typeof ApiKey>;

export const CreatedApiKey = Model(
  { ...keyFields(), key: Type.String({ description: "The key itself. It is shown this once." }) },
  { $id: "CreatedApiKey" },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const ApiKeyCreate = Model(
  {
    name: Name(),
    role: Type.Optional(RoleWord()),
    service_account_id: Type.Optional(Nullable(Uuid())),
    workspace_ids: Type.Optional(Nullable(Type.Array(Uuid(), { minItems: 1, maxItems: 100 }))),
    expires: Type.Optional(Nullable(Timestamp())),
    requests_per_minute: Type.Optional(Nullable(RequestsPerMinute())),
  },
  { $id: "ApiKeyCreate" },
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

export const ApiKeyUpdate = Model(
  { requests_per_minute: Type.Optional(Nullable(RequestsPerMinute())) },
  { $id: "ApiKeyUpdate" },
);
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>;

export const CreatedAccount = Model(
  { account: Account, workspace: Workspace, api_key: CreatedApiKey },
  { $id: "CreatedAccount" },
);
export type CreatedAccount = Static<typeof CreatedAccount>;

export const MyAccount = Model(
  {
    account_id: Uuid(),
    account_name: Type.String(),
    account_handle: Type.String(),
    role: RoleWord(),
  },
  { $id: "MyAccount" },
);
export type MyAccount = Static<typeof MyAccount>;

export const MyWorkspace = Model(
  {
    account_id: Uuid(),
    account_name: Type.String(),
    account_handle: Type.String(),
    workspace_id: Uuid(),
    workspace_name: Type.String(),
    workspace_description: Type.String(),
    workspace_handle: Type.String(),
  },
  { $id: "MyWorkspace" },
);
export type MyWorkspace = Static<typeof MyWorkspace>;
