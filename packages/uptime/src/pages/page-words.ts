import type { PageState, ReportUpdate, ShownState } from "@orchestrator/contract";

/** The sentence at the top. */
export const PAGE_SENTENCES: Readonly<Record<PageState, string>> = {
  operational: "All systems operational",
  maintenance: "Maintenance under way",
  degraded: "Some systems are degraded",
  partial_outage: "Some systems are down",
  major_outage: "All systems are down",
  unknown: "Nothing is known yet",
};

export const PAGE_STATE_WORDS: Readonly<Record<ShownState, string>> = {
  up: "Operational",
  degraded: "Degraded",
  down: "Down",
  maintenance: "Maintenance",
  paused: "Paused",
  unknown: "No data",
};

export const REPORT_WORDS: Readonly<Record<ReportUpdate["state"], string>> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
};

/** Which of the looks of a state fits the whole page. */
export const PAGE_STATE_BADGES: Readonly<Record<PageState, ShownState>> = {
  operational: "up",
  maintenance: "maintenance",
  degraded: "degraded",
  partial_outage: "down",
  major_outage: "down",
  unknown: "unknown",
};
