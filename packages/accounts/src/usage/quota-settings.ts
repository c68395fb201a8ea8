import {
  byteSizeBetween,
  integer,
  type SettingValues,
  setting,
} from "@orchestrator/kernel/settings";

const MOST = 1_000_000_000_000;
const GIGABYTE = 2 ** 30;
const EXABYTE = 2 ** 60;

/** What no workspace may exceed, whatever its account says. */
export const quotaSettings = {
  runsPerDay: setting({
    name: "ORCHESTRATOR_QUOTA_RUNS_PER_DAY",
    type: integer(1, MOST),
    summary: "Flow runs that each workspace may create a day. Unlimited by default.",
  }),
  eventsPerDay: setting({
    name: "ORCHESTRATOR_QUOTA_EVENTS_PER_DAY",
    type: integer(1, MOST),
    summary:
      "Events of each workspace a day, including those of the server about it. Unlimited by default.",
  }),
  runsStored: setting({
    name: "ORCHESTRATOR_QUOTA_RUNS_STORED",
    type: integer(1, MOST),
    summary: "Flow runs that each workspace may store. Unlimited by default.",
  }),
  storage: setting({
    name: "ORCHESTRATOR_QUOTA_STORAGE",
    type: byteSizeBetween(0, EXABYTE),
    default: 10 * GIGABYTE,
    summary:
      "Bytes that each workspace may store, without indexes. 0 for no limit. State changes succeed beyond it.",
  }),
};

export type QuotaSettings = SettingValues<typeof quotaSettings>;
