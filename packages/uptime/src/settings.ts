import { hasAccounts } from "@orchestrator/kernel/scope";
import {
  choice,
  destinations,
  durationBetween,
  type Env,
  integer,
  type SettingValues,
  setting,
  textType,
  url,
} from "@orchestrator/kernel/settings";
import { engineSettings } from "./engine-settings.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const METRICS = ["off", "ids", "names"] as const;
const PROBE_POLICIES = ["private-ok", "public-only", "allowlist"] as const;

export const uptimeSettings = {
  username: setting({
    name: "UPTIME_USERNAME",
    type: textType,
    default: "admin",
    summary: "The user name of the uptime service.",
  }),
  password: setting({
    name: "UPTIME_PASSWORD",
    type: textType,
    secret: true,
    summary:
      "The password of the uptime service. Without it, the first start generates one and shows it once.",
  }),
  publicUrl: setting({
    name: "UPTIME_PUBLIC_URL",
    type: url(["http", "https"]),
    summary:
      "The address by which readers reach the server, for links in feeds. Without it, links have the host name of the request.",
  }),
  sessionIdle: setting({
    name: "UPTIME_SESSION_IDLE",
    type: durationBetween(MINUTE_MS, 30 * DAY_MS),
    default: DAY_MS,
    summary: "How long a session of the uptime service lasts after its last use.",
  }),
  sessionLifetime: setting({
    name: "UPTIME_SESSION_LIFETIME",
    type: durationBetween(MINUTE_MS, 365 * DAY_MS),
    default: 30 * DAY_MS,
    summary: "How long a session of the uptime service lasts at most.",
  }),
  minInterval: setting({
    name: "UPTIME_MIN_INTERVAL",
    type: durationBetween(SECOND_MS, HOUR_MS),
    default: 10 * SECOND_MS,
    summary: "The shortest interval a monitor may have, in whole seconds.",
  }),
  probePolicy: setting({
    name: "UPTIME_PROBE_POLICY",
    type: choice(PROBE_POLICIES),
    default: (env: Env) => (hasAccounts(env) ? "public-only" : "private-ok"),
    defaultText: "private-ok; public-only in mode accounts",
    summary:
      "Where checks may go: `private-ok` anywhere, `public-only` to public addresses and the list, `allowlist` to the list only. Link-local and cloud metadata addresses are never called.",
  }),
  probeAllowedHosts: setting({
    name: "UPTIME_PROBE_ALLOWED_HOSTS",
    type: destinations,
    summary:
      "The list of `UPTIME_PROBE_POLICY`: allowed in addition with `public-only`, and exclusively with `allowlist`.",
  }),
  concurrency: setting({
    name: "UPTIME_CONCURRENCY",
    type: integer(1, 10_000),
    default: 2000,
    summary:
      "Monitors that this process checks at once. A target that does not answer occupies a place until its timeout.",
  }),
  hostConcurrency: setting({
    name: "UPTIME_HOST_CONCURRENCY",
    type: integer(1, 10_000),
    default: 100,
    summary: "Monitors of one host and port that this process checks at once.",
  }),
  resultRetention: setting({
    name: "UPTIME_RESULT_RETENTION",
    type: durationBetween(HOUR_MS, 3650 * DAY_MS),
    default: 30 * DAY_MS,
    summary: "How long single results are kept.",
  }),
  hourlyRetention: setting({
    name: "UPTIME_HOURLY_RETENTION",
    type: durationBetween(DAY_MS, 3650 * DAY_MS),
    default: 396 * DAY_MS,
    summary: "How long figures by hour are kept.",
  }),
  dailyRetention: setting({
    name: "UPTIME_DAILY_RETENTION",
    type: durationBetween(DAY_MS, 3650 * DAY_MS),
    default: 1827 * DAY_MS,
    summary: "How long figures by day are kept.",
  }),
  metrics: setting({
    name: "UPTIME_METRICS",
    type: choice(METRICS),
    default: "ids",
    summary:
      "Monitors in `/metrics`: `off` not at all, `ids` by their ids alone, `names` also with names and tags. In mode `open`, `/metrics` needs no credentials.",
  }),
  metricsMonitors: setting({
    name: "UPTIME_METRICS_MONITORS",
    type: integer(0, 100_000),
    default: 1000,
    summary: "Monitors in `/metrics`, about ten lines each.",
  }),
  ...engineSettings,
} as const;

export type UptimeSettings = SettingValues<typeof uptimeSettings>;
