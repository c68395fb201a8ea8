import { ROLES } from "@orchestrator/contract";
import {
  choice,
  durationBetween,
  flagType,
  type SettingValues,
  setting,
  textType,
  url,
} from "@orchestrator/kernel/settings";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** The settings of accounts, users and their sessions. */
export const accountsSettings = {
  publicUrl: setting({
    name: "ORCHESTRATOR_AUTH_PUBLIC_URL",
    type: url(["http", "https"]),
    summary:
      "The address by which browsers reach the server, for links of invitations and the return from an OpenID provider. Required in mode `accounts`.",
  }),
  sessionIdle: setting({
    name: "ORCHESTRATOR_AUTH_SESSION_IDLE",
    type: durationBetween(MINUTE_MS, 30 * DAY_MS),
    default: DAY_MS,
    summary: "How long the session of a user lasts after its last use.",
  }),
  sessionLifetime: setting({
    name: "ORCHESTRATOR_AUTH_SESSION_LIFETIME",
    type: durationBetween(MINUTE_MS, 365 * DAY_MS),
    default: 30 * DAY_MS,
    summary: "How long the session of a user lasts at most.",
  }),
  oidc: {
    issuer: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_ISSUER",
      type: url(["http", "https"]),
      summary:
        "The OpenID provider that users may sign in through, as it names itself, such as https://id.example.com. None turns single sign-on off.",
    }),
    clientId: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_CLIENT_ID",
      type: textType,
      summary: "The client id of this server at the provider.",
    }),
    clientSecret: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_CLIENT_SECRET",
      type: textType,
      secret: true,
      summary: "The client secret. Public clients have none.",
    }),
    name: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_NAME",
      type: textType,
      default: "single sign-on",
      summary: "The name of the provider on the login page.",
    }),
    scopes: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_SCOPES",
      type: textType,
      default: "openid email profile",
      summary: "The scopes to request, separated by spaces, with `openid` among them.",
    }),
    newUsers: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_NEW_USERS",
      type: choice(["invited", "anybody"]),
      default: "invited",
      summary:
        "Who may sign in through the provider for the first time: users whose email is invited, or all users of the provider.",
    }),
    account: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_ACCOUNT",
      type: textType,
      default: "default",
      summary: "The handle of the account that users without an invitation join.",
    }),
    role: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_ROLE",
      type: choice(ROLES),
      default: "viewer",
      summary: "Their role in that account.",
    }),
    trustEmail: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_TRUST_EMAIL",
      type: flagType,
      default: false,
      summary:
        "Whether an email counts as verified if the provider says nothing about it. An email that it calls unverified never does.",
    }),
  },
};

export type AccountsSettings = SettingValues<typeof accountsSettings>;
