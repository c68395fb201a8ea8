import { integer, type SettingValues, setting } from "@orchestrator/kernel";

const MOST = 10_000_000;

export const limitSettings = {
  requestsPerMinute: setting({
    name: "ORCHESTRATOR_RATE_LIMIT_PER_MINUTE",
    type: integer(0, MOST),
    default: 0,
    summary:
      "How many requests a minute each API key may make of this process in the long run, where the key itself says nothing else; 0 for any number.",
  }),
  burst: setting({
    name: "ORCHESTRATOR_RATE_LIMIT_BURST",
    type: integer(1, MOST),
    default: 1000,
    summary: "How many requests of such a key may come at once, but no more than in a minute.",
  }),
  refusalsPerMinute: setting({
    name: "ORCHESTRATOR_RATE_LIMIT_REFUSALS_PER_MINUTE",
    type: integer(0, MOST),
    default: 1200,
    summary:
      "How many requests a minute from one address may be answered 401 before they are answered 429; 0 for any number.",
  }),
};

export type LimitSettings = SettingValues<typeof limitSettings>;
