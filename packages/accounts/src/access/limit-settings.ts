import { integer, type SettingValues, setting } from "@orchestrator/kernel/settings";

const MOST = 10_000_000;

export const limitSettings = {
  requestsPerMinute: setting({
    name: "ORCHESTRATOR_RATE_LIMIT_PER_MINUTE",
    type: integer(0, MOST),
    default: 0,
    summary:
      "Requests a minute for each API key, unless the key has a rate of its own. 0 for no limit.",
  }),
  burst: setting({
    name: "ORCHESTRATOR_RATE_LIMIT_BURST",
    type: integer(1, MOST),
    default: 1000,
    summary: "Requests of such a key at once, at most as many as in a minute.",
  }),
  refusalsPerMinute: setting({
    name: "ORCHESTRATOR_RATE_LIMIT_REFUSALS_PER_MINUTE",
    type: integer(0, MOST),
    default: 1200,
    summary:
      "Requests a minute from one address that are answered with 401 before the answer is 429. 0 for no limit.",
  }),
};

export type LimitSettings = SettingValues<typeof limitSettings>;
