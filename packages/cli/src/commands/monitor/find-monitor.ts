import type { Monitor } from "@orchestrator/contract";
import { findNamed } from "../../io/find-named.ts";
import type { CliSession } from "../../io/session.ts";

export function findMonitor({ uptime }: CliSession, name: string): Promise<Monitor> {
  return findNamed(
    {
      what: "monitor",
      read: (id) => uptime.monitors.read(id),
      each: (wanted) => uptime.monitors.each(wanted === undefined ? {} : { q: wanted }),
    },
    name,
  );
}

/** The ids of monitors that are named. */
export async function monitorIds(session: CliSession, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) found.push((await findMonitor(session, name)).id);
  return found;
}
