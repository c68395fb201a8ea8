import {
  destinations,
  durationBetween,
  type Env,
  flag,
  hasAccounts,
  integer,
  type SettingValues,
  setting,
  spansByName,
  url,
} from "@orchestrator/kernel";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const orchestratorSettings = {
  uiUrl: setting({
    name: "ORCHESTRATOR_UI_URL",
    type: url(["http", "https"]),
    summary:
      "The address by which people reach the web UI, for the links in notifications. Without one they are paths, without the name of a server.",
  }),
  csrfProtectionEnabled: setting({
    name: "ORCHESTRATOR_SERVER_CSRF_PROTECTION_ENABLED",
    type: flag,
    default: false,
    summary: "Whether requests that change something must carry a token from `/csrf-token`.",
  }),
  csrfTokenLifetime: setting({
    name: "ORCHESTRATOR_SERVER_CSRF_TOKEN_LIFETIME",
    type: durationBetween(MINUTE_MS, 30 * DAY_MS),
    default: 60 * MINUTE_MS,
    summary: "How long a token against cross-site requests is good for.",
  }),
  eventRetention: setting({
    name: "ORCHESTRATOR_EVENTS_RETENTION",
    type: durationBetween(MINUTE_MS, 3650 * DAY_MS),
    default: 7 * DAY_MS,
    summary: "How long events are kept.",
  }),
  eventRetentionByName: setting({
    name: "ORCHESTRATOR_EVENTS_RETENTION_BY_NAME",
    type: spansByName,
    summary:
      "How long events of certain names are kept instead; the longest name that fits counts, and `prefect.` and `orchestrator.` mean the same.",
  }),
  eventUnreadRetention: setting({
    name: "ORCHESTRATOR_EVENTS_UNREAD_RETENTION",
    type: durationBetween(60 * MINUTE_MS, 3650 * DAY_MS),
    default: 30 * DAY_MS,
    summary:
      "How long expired events wait for a part of the server that has to see them and does not read on; after that they are deleted unseen.",
  }),
  claimTimeout: setting({
    name: "ORCHESTRATOR_RUNS_CLAIM_TIMEOUT",
    type: durationBetween(10 * SECOND_MS, DAY_MS),
    default: 10 * MINUTE_MS,
    summary:
      "How long a run that a worker has claimed may stay PENDING without a word before it is offered again.",
  }),
  cancellingTimeout: setting({
    name: "ORCHESTRATOR_RUNS_CANCELLING_TIMEOUT",
    type: durationBetween(SECOND_MS, DAY_MS),
    default: 25 * SECOND_MS,
    summary: "How long a run may stay CANCELLING before it is taken to be cancelled.",
  }),
  lateAfter: setting({
    name: "ORCHESTRATOR_RUNS_LATE_AFTER",
    type: durationBetween(SECOND_MS, DAY_MS),
    default: 15 * SECOND_MS,
    summary: "How long after its time a run that nobody has claimed is called late.",
  }),
  runRetention: setting({
    name: "ORCHESTRATOR_RUNS_RETENTION",
    type: durationBetween(MINUTE_MS, 3650 * DAY_MS),
    summary: "How long runs are kept after they have ended. Without it they are kept for ever.",
  }),
  automationsPerWorkspace: setting({
    name: "ORCHESTRATOR_AUTOMATIONS_PER_WORKSPACE",
    type: integer(1, 1_000_000),
    default: 1000,
    summary: "How many automations a workspace may have.",
  }),
  automationFiringsPerMinute: setting({
    name: "ORCHESTRATOR_AUTOMATIONS_FIRINGS_PER_MINUTE",
    type: integer(1, 1_000_000),
    default: 600,
    summary:
      "How often each automation may fire within a minute. Matches beyond it are counted only.",
  }),
  deliveriesAllowPrivate: setting({
    name: "ORCHESTRATOR_DELIVERIES_ALLOW_PRIVATE",
    type: flag,
    default: (env: Env) => !hasAccounts(env),
    defaultText: "true; false in mode accounts",
    summary:
      "Whether webhooks and notifications may go to private networks and to this machine; a block can forbid it for itself. Link-local and cloud metadata addresses are never called.",
  }),
  deliveriesAllowedHosts: setting({
    name: "ORCHESTRATOR_DELIVERIES_ALLOWED_HOSTS",
    type: destinations,
    summary: "Where they may go nevertheless when private networks are not allowed.",
  }),
  deliveriesGiveUpAfter: setting({
    name: "ORCHESTRATOR_DELIVERIES_GIVE_UP_AFTER",
    type: durationBetween(MINUTE_MS, 7 * DAY_MS),
    default: DAY_MS,
    summary: "How long a webhook or a notification that is not taken is sent again and again.",
  }),
} as const;

export type OrchestratorSettings = SettingValues<typeof orchestratorSettings>;
