import { spansByName } from "@orchestrator/kernel/events";
import { hasAccounts } from "@orchestrator/kernel/scope";
import {
  destinations,
  durationBetween,
  type Env,
  flagType,
  integer,
  type SettingValues,
  setting,
  url,
} from "@orchestrator/kernel/settings";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const orchestratorSettings = {
  uiUrl: setting({
    name: "ORCHESTRATOR_UI_URL",
    type: url(["http", "https"]),
    summary:
      "The address by which browsers reach the web UI, for links in notifications. Without it, links are paths without a server name.",
  }),
  csrfProtectionEnabled: setting({
    name: "ORCHESTRATOR_SERVER_CSRF_PROTECTION_ENABLED",
    type: flagType,
    default: false,
    summary: "Whether requests that change something need a token from `/csrf-token`.",
  }),
  csrfTokenLifetime: setting({
    name: "ORCHESTRATOR_SERVER_CSRF_TOKEN_LIFETIME",
    type: durationBetween(MINUTE_MS, 30 * DAY_MS),
    default: 60 * MINUTE_MS,
    summary: "How long such a token is valid.",
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
      "How long events of certain names are kept instead. The longest match counts; `prefect.` and `orchestrator.` mean the same.",
  }),
  eventUnreadRetention: setting({
    name: "ORCHESTRATOR_EVENTS_UNREAD_RETENTION",
    type: durationBetween(60 * MINUTE_MS, 3650 * DAY_MS),
    default: 30 * DAY_MS,
    summary:
      "How long expired events are kept for a reader of the event log that does not move on. After that they are deleted unread.",
  }),
  claimTimeout: setting({
    name: "ORCHESTRATOR_RUNS_CLAIM_TIMEOUT",
    type: durationBetween(10 * SECOND_MS, DAY_MS),
    default: 10 * MINUTE_MS,
    summary:
      "How long a claimed run may stay PENDING without a report from its worker before it is dispatched again.",
  }),
  cancellingTimeout: setting({
    name: "ORCHESTRATOR_RUNS_CANCELLING_TIMEOUT",
    type: durationBetween(SECOND_MS, DAY_MS),
    default: 25 * SECOND_MS,
    summary: "How long a run may stay CANCELLING before it counts as cancelled.",
  }),
  lateAfter: setting({
    name: "ORCHESTRATOR_RUNS_LATE_AFTER",
    type: durationBetween(SECOND_MS, DAY_MS),
    default: 15 * SECOND_MS,
    summary: "How long after its scheduled time an unclaimed run counts as late.",
  }),
  runRetention: setting({
    name: "ORCHESTRATOR_RUNS_RETENTION",
    type: durationBetween(MINUTE_MS, 3650 * DAY_MS),
    summary: "How long runs are kept after they ended. Without it they are kept forever.",
  }),
  automationsPerWorkspace: setting({
    name: "ORCHESTRATOR_AUTOMATIONS_PER_WORKSPACE",
    type: integer(1, 1_000_000),
    default: 1000,
    summary: "Automations of each workspace.",
  }),
  automationFiringsPerMinute: setting({
    name: "ORCHESTRATOR_AUTOMATIONS_FIRINGS_PER_MINUTE",
    type: integer(1, 1_000_000),
    default: 600,
    summary: "Firings of each automation a minute. Further matches are only counted.",
  }),
  deliveriesAllowPrivate: setting({
    name: "ORCHESTRATOR_DELIVERIES_ALLOW_PRIVATE",
    type: flagType,
    default: (env: Env) => !hasAccounts(env),
    defaultText: "true; false in mode accounts",
    summary:
      "Whether webhooks and notifications may go to private networks and to this machine. A block can forbid it for itself. Link-local and cloud metadata addresses are never called.",
  }),
  deliveriesAllowedHosts: setting({
    name: "ORCHESTRATOR_DELIVERIES_ALLOWED_HOSTS",
    type: destinations,
    summary: "Private targets of webhooks and notifications that are allowed all the same.",
  }),
  deliveriesGiveUpAfter: setting({
    name: "ORCHESTRATOR_DELIVERIES_GIVE_UP_AFTER",
    type: durationBetween(MINUTE_MS, 7 * DAY_MS),
    default: DAY_MS,
    summary: "How long a failed webhook or notification is retried.",
  }),
} as const;

export type OrchestratorSettings = SettingValues<typeof orchestratorSettings>;
