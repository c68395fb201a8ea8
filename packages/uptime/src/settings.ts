import {
  choice,
  destinations,
  durationBetween,
  type Env,
  hasAccounts,
  integer,
  type SettingValues,
  setting,
  text,
  url,
} from "@orchestrator/kernel";
import { engineSettings } from "./engine/engine-settings.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const METRICS = ["off", "ids", "names"] as const;
const PROBE_POLICIES = ["private-ok", "public-only", "allowlist"] as const;

export const uptimeSettings = {
  username: setting({
    name: "UPTIME_USERNAME",
    type: text,
    default: "admin",
    summary: "Who may use the uptime service.",
  }),
  password: setting({
    name: "UPTIME_PASSWORD",
    type: text,
    secret: true,
    summary:
      "The password that goes with it. Without one it is made up at the first start and shown once.",
  }),
  publicUrl: setting({
    name: "UPTIME_PUBLIC_URL",
    type: url(["http", "https"]),
    summary:
      "The address by which readers reach the server, for the links in feeds. Without one they have the name that the reader used.",
  }),
  sessionIdle: setting({
    name: "UPTIME_SESSION_IDLE",
    type: durationBetween(MINUTE_MS, 30 * DAY_MS),
    default: DAY_MS,
    summary: "How long a session lasts that nobody uses.",
  }),
  sessionLifetime: setting({
    name: "UPTIME_SESSION_LIFETIME",
    type: durationBetween(MINUTE_MS, 365 * DAY_MS),
    default: 30 * DAY_MS,
    summary: "How long a session lasts at most.",
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
      "Where checks may go: also into private networks and to this machine, only to public addresses, or only where the list allows it. Link-local and cloud metadata addresses are never called.",
  }),
  probeAllowedHosts: setting({
    name: "UPTIME_PROBE_ALLOWED_HOSTS",
    type: destinations,
    summary:
      "The list: where checks may go nevertheless with `public-only`, and all they may go to with `allowlist`.",
  }),
  concurrency: setting({
    name: "UPTIME_CONCURRENCY",
    type: integer(1, 10_000),
    default: 2000,
    summary:
      "How many monitors this process checks at the same time. A target that does not answer takes up a place until its time is over.",
  }),
  hostConcurrency: setting({
    name: "UPTIME_HOST_CONCURRENCY",
    type: integer(1, 10_000),
    default: 100,
    summary: "How many of them on the same host and port.",
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
    summary: "How long the figures of each hour are kept.",
  }),
  dailyRetention: setting({
    name: "UPTIME_DAILY_RETENTION",
    type: durationBetween(DAY_MS, 3650 * DAY_MS),
    default: 1827 * DAY_MS,
    summary: "How long the figures of each day are kept.",
  }),
  metrics: setting({
    name: "UPTIME_METRICS",
    type: choice(METRICS),
    default: "ids",
    summary:
      "Whether `/metrics`, which asks for no credentials, tells of monitors: not at all, by their ids alone, or with their names and tags.",
  }),
  metricsMonitors: setting({
    name: "UPTIME_METRICS_MONITORS",
    type: integer(0, 100_000),
    default: 1000,
    summary: "How many monitors `/metrics` tells of, some ten lines each.",
  }),
  ...engineSettings,
} as const;

export type UptimeSettings = SettingValues<typeof uptimeSettings>;
