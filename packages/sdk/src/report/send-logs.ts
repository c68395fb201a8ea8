// Log lines have no ids of their own, so a batch whose answer was lost must not simply be sent again. A line is known by its
// run and its time: no two lines of a process have the same.

import type { OrchestratorClient } from "@orchestrator/client";
import type { LogCreate } from "@orchestrator/contract";
import { timestampPlus } from "../time.ts";

/** Sends lines; with `isAgain` only those that the server does not have yet. */
export async function sendLogs(
  client: OrchestratorClient,
  lines: readonly LogCreate[],
  isAgain: boolean,
): Promise<void> {
  const missing = isAgain ? await withoutStored(client, lines) : lines;
  if (missing.length > 0) await client.logs.create(missing, { retries: 0 });
}

const keyOf = ({ flow_run_id, timestamp }: LogCreate): string =>
  `${flow_run_id ?? ""} ${timestamp}`;

async function withoutStored(
  client: OrchestratorClient,
  lines: readonly LogCreate[],
): Promise<LogCreate[]> {
  const times = lines.map(({ timestamp }) => timestamp).toSorted();
  const ids = [...new Set(lines.flatMap(({ flow_run_id }) => flow_run_id ?? []))];
  const [first = "", last = ""] = [times[0], times.at(-1)];
  const stored = new Set<string>();
  const filter = {
    logs: {
      flow_run_id: { any_: ids },
      // Wide enough that it does not matter whether the ends belong to the range.
      timestamp: { after_: timestampPlus(first, -1), before_: timestampPlus(last, 1) },
    },
    sort: "TIMESTAMP_ASC" as const,
  };
  for await (const line of client.logs.each(filter, { retries: 0 })) stored.add(keyOf(line));
  return lines.filter((line) => !stored.has(keyOf(line)));
}
