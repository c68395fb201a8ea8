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
      "How many units of work a second each key may ask of this process in modes `password` and `accounts`, and 30 times as many at once; 0 for any number. An ordinary request is one unit, one for each 32 KiB of its body, and 20 an expensive one. In mode `password` the callers are told apart by their address.",
  }),
  perWorkspace: setting({
    name: "ORCHESTRATOR_FAIR_SHARE_PER_WORKSPACE",
    type: integer(0, MOST),
    default: 2000,
    summary: "The same for each workspace, in mode `accounts`.",
  }),
  expensivePerKey: setting({
    name: "ORCHESTRATOR_FAIR_SHARE_EXPENSIVE_PER_KEY",
    type: integer(0, MOST),
    default: 10,
    summary:
      "How many expensive requests each key may have under way at once: searches of texts, lists of more than 200 rows, exports, previews, bulk operations; 0 for any number.",
  }),
  expensivePerWorkspace: setting({
    name: "ORCHESTRATOR_FAIR_SHARE_EXPENSIVE_PER_WORKSPACE",
    type: integer(0, MOST),
    default: 20,
    summary: "The same for each workspace, in mode `accounts`.",
  }),
};
