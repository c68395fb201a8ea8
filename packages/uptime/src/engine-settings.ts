import { durationBetween, setting } from "@orchestrator/kernel/settings";

const DAY_MS = 86_400_000;
const MOST_TARGETS = 10;
const TARGET = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253}):\d{1,5}$/i;

/** `host:port` by comma. */
const endpoints = {
  expected:
    "a comma-separated list of hosts with their ports such as gateway.lan:443, 192.0.2.1:53",
  parse(given: string): readonly string[] | undefined {
    const entries = given.split(",").map((entry) => entry.trim());
    const isGood = entries.length <= MOST_TARGETS && entries.every((entry) => TARGET.test(entry));
    return isGood ? Object.freeze(entries) : undefined;
  },
  format: (value: readonly string[]): string => value.join(","),
};

/** The settings of the engine, part of those of the service. */
export const engineSettings = {
  certificateWarning: setting({
    name: "UPTIME_CERTIFICATE_WARNING",
    type: durationBetween(DAY_MS, 365 * DAY_MS),
    default: 14 * DAY_MS,
    summary: "How long before a certificate expires an event is published.",
  }),
  referenceTargets: setting({
    name: "UPTIME_REFERENCE_TARGETS",
    type: endpoints,
    summary:
      "Endpoints that can be reached whenever this server's own network works. If a target and all of these are unreachable, the result is inconclusive: no alert is sent, and the time counts for nothing. Without them, results are inconclusive only while this machine has no network address.",
  }),
} as const;
