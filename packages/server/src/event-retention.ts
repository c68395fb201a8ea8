import { createEventRetention } from "@orchestrator/kernel/events";
import type { LoopDefinition } from "@orchestrator/kernel/loops";
import type { ServiceHost } from "@orchestrator/kernel/scope";
import type { ProgramSettings } from "./settings.ts";

const MINUTE_MS = 60_000;

/** The log belongs to no service: whichever of them run, what has expired in it is deleted. */
export function eventRetentionLoop(
  { db, clock, log }: Pick<ServiceHost, "db" | "clock" | "log">,
  { eventRetention, eventRetentionByName, eventUnreadRetention }: ProgramSettings["orchestrator"],
): LoopDefinition {
  const deleteExpired = createEventRetention(
    db,
    { clock, log },
    { keepMs: eventRetention, byName: eventRetentionByName, unreadMs: eventUnreadRetention },
  );
  return {
    name: "event-retention",
    everyMs: MINUTE_MS,
    runs: "one",
    tick: async (signal) => {
      const deleted = await deleteExpired(signal);
      if (deleted > 0) log.info({ deleted }, "Expired events deleted");
    },
  };
}
