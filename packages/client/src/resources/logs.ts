import type { Log, LogCreate, LogList, NewestLogs, Static } from "@orchestrator/contract";
import { each, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import { followLogs } from "./follow-logs.ts";

type List = OptionalDefaults<Static<typeof LogList>>;

export const logs = {
  /** Stores log lines, all or none; a batch whose answer was lost is not sent again. */
  create: post<(lines: readonly LogCreate[]) => void>("/logs/"),
  list: query<(filter?: List) => Log[]>("/logs/filter"),
  each: each<(filter?: List) => Log>("/logs/filter"),
  /** The last lines, the newest first: more at once than a list gives. */
  newest: query<(filter?: OptionalDefaults<Static<typeof NewestLogs>>) => Log[]>("/ui/logs/newest"),
  follow: followLogs,
};
