import { type Static, type TUnsafe, Type } from "typebox";
import { Flag, Model, Name, NamedParameters, Nullable, StringEnum } from "../schema/index.ts";
import { RoleWord } from "./accounts.ts";
import { Email, NewPassword, Password } from "./users.ts";

export const AuthMethods = Model(
  {
    password: Flag({ description: "Whether an email and a password let somebody in." }),
    oidc: Nullable(Model({ name: Type.String({ description: "What people call it." }) }), {
      description: "The OpenID provider that may be signed in through.",
    }),
  },
  { $id: "AuthMethods" },
);
export type AuthMethods = Static<typeof AuthMethods>;

const Secret = (): TUnsafe<string> =>
  Type.Unsafe<string>({ type: "string", minLength: 1, maxLength: 200, secret: true });

/** Either an email and a password, or a key. */
export const SessionLogin = Model(
  {
    email: Type.Optional(Email()),
    password: Type.Optional(Password()),
    key: Type.Optional(Secret()),
  },
  { $id: "SessionLogin", description: "Either `email` and `password`, or an API key as `key`." },
);
export type SessionLogin = Static<typeof SessionLogin>;

export const InvitationLook = Model({ token: Secret() }, { $id: "InvitationLook" });
export type InvitationLook = Static<typeof InvitationLook>;

export const InvitationView = Model(
  {
    email: Type.String(),
    account_name: Type.String(),
    role: RoleWord(),
    accepted_by: StringEnum(["new_user", "password", "sign_in"], {
      description:
        "What accepting it takes: `new_user` a name and a new password; `password` the password of the user that has the email already; `sign_in` that they are signed in.",
    }),
    accepted_as: Nullable(Type.Object({ name: Type.String(), email: Nullable(Type.String()) }), {
      description:
        "Who is signed in where this was asked from and can accept it as themselves, with the token alone; they are known by the email of the invitation from then on.",
    }),
  },
  { $id: "InvitationView" },
);
export type InvitationView = Static<typeof InvitationView>;

export const InvitationAccept = Model(
  {
    token: Secret(),
    name: Type.Optional(Name()),
    password: Type.Optional(NewPassword()),
  },
  {
    $id: "InvitationAccept",
    description: "Whoever is signed in as the user with the email needs nothing but the token.",
  },
);
export type InvitationAccept = Static<typeof InvitationAccept>;

export const OidcStart = NamedParameters({
  return_to: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: "The page to come back to, a path of this server.",
    }),
  ),
  connect: Type.Optional(
    Flag({
      description: "Lets whoever is signed in sign in through the provider from now on.",
    }),
  ),
});
export type OidcStart = Static<typeof OidcStart>;

export const OidcCallback = NamedParameters({
  code: Type.Optional(Type.String({ maxLength: 8000 })),
  state: Type.Optional(Type.String({ maxLength: 200 })),
  iss: Type.Optional(Type.String({ maxLength: 2000 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
});
export type OidcCallback = Static<typeof OidcCallback>;

/** Why a sign-in through the provider came to nothing: `/login?problem=…`. */
export const SIGN_IN_PROBLEMS = [
  "refused",
  "expired",
  "provider",
  "token",
  "email_unverified",
  "email_taken",
  "identity_taken",
  "not_invited",
] as const;
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];
