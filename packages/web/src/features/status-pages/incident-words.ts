import type { Incident } from "@orchestrator/contract";
import { shortly } from "../../lib/time.ts";

/** Which incident it is, as people speak of one. */
export function incidentWords(
  {
    monitor_id,
    status,
    started_at,
    ended_at,
  }: Pick<Incident, "monitor_id" | "status" | "started_at" | "ended_at">,
  names: readonly { readonly id: string; readonly name: string }[] | undefined,
): string {
  const name = names?.find(({ id }) => id === monitor_id)?.name;
  const what = name ?? (names === undefined ? "…" : "Deleted monitor");
  const how = ended_at === null ? `${status} since` : `was ${status},`;
  return `${what}: ${how} ${shortly(started_at)}`;
}
