import { byteSizeBetween, integer, type SettingValues, setting } from "@orchestrator/kernel";

const MOST = 1_000_000_000_000;
const GIGABYTE = 2 ** 30;
const EXABYTE = 2 ** 60;

/** What no workspace may exceed, whatever its account says. */
export const quotaSettings = {
  runsPerDay: setting({
    name: "ORCHESTRATOR_QUOTA_RUNS_PER_DAY",
    type: integer(1, MOST),
    summary: "How many flow runs each workspace may make a day. Without it any number.",
  }),
  eventsPerDay: setting({
    name: "ORCHESTRATOR_QUOTA_EVENTS_PER_DAY",
    type: integer(1, MOST),
    summary:
      "How many events each workspace may make a day, sent ones and those of the server. Without it any number.",
  }),
  runsStored: setting({
    name: "ORCHESTRATOR_QUOTA_RUNS_STORED",
    type: integer(1, MOST),
    summary: "How many flow runs each workspace may have. Without it any number.",
  }),
  storage: setting({
    name: "ORCHESTRATOR_QUOTA_STORAGE",
    type: byteSizeBetween(0, EXABYTE),
    default: 10 * GIGABYTE,
    summary:
      "How much each workspace may store, without indexes; 0 for any amount. State changes go through beyond it.",
  }),
};

export type QuotaSettings = SettingValues<typeof quotaSettings>;
