import { type Static, type TString, type TUnsafe, Type } from "typebox";
import { Flag, Model, Name, Nullable, StringEnum, Timestamp, Uuid } from "../schema/index.ts";
import { MyAccount, MyWorkspace, RoleWord } from "./accounts.ts";

const MIN_PASSWORD = 10;
const MAX_PASSWORD = 1000;

/** As it is given; two that differ in case only are the same. */
export const Email = (): TString =>
  Type.String({
    minLength: 3,
    maxLength: 254,
    pattern: '^[^@\\s<>"(),:;]+@[^@\\s<>"(),:;]+$',
    examples: ["ada@example.com"],
  });

/** One that is tried. */
export const Password = (): TUnsafe<string> =>
  Type.Unsafe<string>({ type: "string", minLength: 1, maxLength: MAX_PASSWORD, secret: true });

/** One that is to be from now on. */
export const NewPassword = (): TUnsafe<string> =>
  Type.Unsafe<string>({
    type: "string",
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    secret: true,
  });

export const Me = Model(
  {
    id: Uuid(),
    kind: StringEnum(["user", "service"]),
    name: Type.String(),
    email: Nullable(Type.String()),
    has_password: Flag({
      description: "Whether it may be logged in with an email and a password.",
    }),
    has_identity: Flag({ description: "Whether it may sign in through the OpenID provider." }),
    account_id: Uuid({
      description: "The account of the key; with a session, the oldest that it is good for.",
    }),
    role: RoleWord(),
    api_key_id: Nullable(Uuid(), { description: "The key that was sent; null with a session." }),
    session_id: Nullable(Uuid(), { description: "The session in use; null with a key." }),
  },
  { $id: "Me" },
);
export type Me = Static<typeof Me>;

/** All that a page needs to know of who looks at it. */
export const MyAccess = Model(
  { me: Me, accounts: Type.Array(MyAccount), workspaces: Type.Array(MyWorkspace) },
  { $id: "MyAccess" },
);
export type MyAccess = Static<typeof MyAccess>;

export const MeUpdate = Model(
  { name: Type.Optional(Name()), email: Type.Optional(Email()) },
  { $id: "MeUpdate" },
);
export type MeUpdate = Static<typeof MeUpdate>;

export const PasswordChange = Model(
  { current_password: Type.Optional(Nullable(Password())), new_password: NewPassword() },
  { $id: "PasswordChange" },
);
export type PasswordChange = Static<typeof PasswordChange>;

export const UserSession = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    last_used: Timestamp({ description: "To within a minute." }),
    expires: Timestamp({ description: "It ends here unless it is used before." }),
    address: Type.String({ description: "Where it was begun." }),
    user_agent: Type.String({ description: "What it was begun with." }),
    is_current: Flag(),
  },
  { $id: "UserSession" },
);
export type UserSession = Static<typeof UserSession>;

export const SessionId = Type.Object({ id: Uuid() });

export const Member = Model(
  {
    account_id: Uuid(),
    user_id: Uuid(),
    created: Timestamp(),
    role: RoleWord(),
    name: Type.String(),
    email: Nullable(Type.String()),
  },
  { $id: "Member" },
);
export type Member = Static<typeof Member>;

export const MemberUpdate = Model({ role: RoleWord() }, { $id: "MemberUpdate" });
export type MemberUpdate = Static<typeof MemberUpdate>;

export const MemberId = Type.Object({ account_id: Uuid(), user_id: Uuid() });

const invitationFields = () => ({
  id: Uuid(),
  account_id: Uuid(),
  created: Timestamp(),
  expires: Timestamp(),
  email: Type.String(),
  role: RoleWord(),
});

export const Invitation = Model(invitationFields(), { $id: "Invitation" });
export type Invitation = Static<typeof Invitation>;

export const CreatedInvitation = Model(
  {
    ...invitationFields(),
    token: Type.String({ description: "What lets them in. It is shown this once." }),
    link: Type.String({ description: "The page that takes it, to be handed on." }),
  },
  { $id: "CreatedInvitation" },
);
export type CreatedInvitation = Static<typeof CreatedInvitation>;

export const InvitationCreate = Model(
  { email: Email(), role: RoleWord() },
  { $id: "InvitationCreate" },
);
export type InvitationCreate = Static<typeof InvitationCreate>;
