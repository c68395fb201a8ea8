import { setting } from "../config/setting.ts";
import { integer } from "../config/setting-types.ts";

const MOST = 1_000_000;

/**
 * Generous on purpose: the requests of a few hundred runs at once, and not what stops everybody
 * else.
 */
export const fairShareSettings = {
  perKey: setting({
    name: "ORCHESTRATOR_FAIR_SHARE_PER_KEY",
    type: integer(0, MOST),
    default: 1000,
    summary:
      "Units a second for each key in the modes `password` and `accounts`, and 30 times as many at once; 0 for no limit. A request is one unit, one more for each 32 KiB of its body, and 20 more if it is expensive. In mode `password`, an address counts as a key.",
  }),
  perWorkspace: setting({
    name: "ORCHESTRATOR_FAIR_SHARE_PER_WORKSPACE",
    type: integer(0, MOST),
    default: 2000,
    summary: "Units a second for each workspace, in mode `accounts`; 0 for no limit.",
  }),
  expensivePerKey: setting({
    name: "ORCHESTRATOR_FAIR_SHARE_EXPENSIVE_PER_KEY",
    type: integer(0, MOST),
    default: 10,
    summary:
      "Expensive requests in progress at once for each key: text searches, lists of more than 200 rows, exports, previews, graphs, bulk operations. 0 for no limit.",
  }),
  expensivePerWorkspace: setting({
    name: "ORCHESTRATOR_FAIR_SHARE_EXPENSIVE_PER_WORKSPACE",
    type: integer(0, MOST),
    default: 20,
    summary:
      "Expensive requests in progress at once for each workspace, in mode `accounts`; 0 for no limit.",
  }),
};
