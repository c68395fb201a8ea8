import type { KeyringError, Resealing } from "@orchestrator/kernel/secrets";
import { resealOrchestratorSecrets } from "@orchestrator/orchestrator";
import { resealUptimeSecrets } from "@orchestrator/uptime";
import type { ProgramServiceName, ProgramSettings } from "./settings.ts";
import { withDatabase } from "./with-database.ts";

const RESEAL = {
  orchestrator: resealOrchestratorSecrets,
  uptime: resealUptimeSecrets,
} as const satisfies Readonly<Record<ProgramServiceName, unknown>>;

/**
 * Seals everything under the active key at once, where no server runs that would do it by itself.
 * It may be stopped at any moment and run again.
 */
export function resealAllSecrets(settings: ProgramSettings): Promise<Resealing> {
  return withDatabase(settings, async (opened) => {
    let resealed = 0;
    const problems: KeyringError[] = [];
    for (const name of settings.server.services) {
      const done = await RESEAL[name](opened);
      resealed += done.resealed;
      problems.push(...done.problems);
    }
    return { resealed, problems };
  });
}
