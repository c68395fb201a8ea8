import { ROLES } from "@orchestrator/contract";
import {
  choice,
  durationBetween,
  flag,
  type SettingValues,
  setting,
  text,
  url,
} from "@orchestrator/kernel";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** The settings of accounts, users and their sessions. */
export const accountsSettings = {
  publicUrl: setting({
    name: "ORCHESTRATOR_AUTH_PUBLIC_URL",
    type: url(["http", "https"]),
    summary:
      "The address by which browsers reach the server, for the links of invitations and the way back from an OpenID provider. Mode `accounts` needs it.",
  }),
  sessionIdle: setting({
    name: "ORCHESTRATOR_AUTH_SESSION_IDLE",
    type: durationBetween(MINUTE_MS, 30 * DAY_MS),
    default: DAY_MS,
    summary: "How long the session of somebody who is signed in lasts when nobody uses it.",
  }),
  sessionLifetime: setting({
    name: "ORCHESTRATOR_AUTH_SESSION_LIFETIME",
    type: durationBetween(MINUTE_MS, 365 * DAY_MS),
    default: 30 * DAY_MS,
    summary: "How long such a session lasts at most.",
  }),
  oidc: {
    issuer: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_ISSUER",
      type: url(["http", "https"]),
      summary:
        "The OpenID provider that users may sign in through, as it names itself, such as https://id.example.com. Without one they cannot.",
    }),
    clientId: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_CLIENT_ID",
      type: text,
      summary: "What the provider knows this server by.",
    }),
    clientSecret: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_CLIENT_SECRET",
      type: text,
      secret: true,
      summary: "The secret that goes with it; public clients have none.",
    }),
    name: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_NAME",
      type: text,
      default: "single sign-on",
      summary: "What people call the provider, for the page where they sign in.",
    }),
    scopes: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_SCOPES",
      type: text,
      default: "openid email profile",
      summary: "What the provider is asked for, separated by blanks; `openid` is among it.",
    }),
    newUsers: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_NEW_USERS",
      type: choice(["invited", "anybody"]),
      default: "invited",
      summary:
        "Who may come in for the first time through the provider: only those whose email is invited, or anybody it knows.",
    }),
    account: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_ACCOUNT",
      type: text,
      default: "default",
      summary: "The handle of the account that anybody else becomes a member of.",
    }),
    role: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_ROLE",
      type: choice(ROLES),
      default: "viewer",
      summary: "What they may do there.",
    }),
    trustEmail: setting({
      name: "ORCHESTRATOR_AUTH_OIDC_TRUST_EMAIL",
      type: flag,
      default: false,
      summary:
        "Whether emails of which the provider does not say if they are verified count as verified. Those it says are not never do.",
    }),
  },
};

export type AccountsSettings = SettingValues<typeof accountsSettings>;
