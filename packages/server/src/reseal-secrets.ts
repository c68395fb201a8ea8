import { createLogger, type KeyringError, type Resealing } from "@orchestrator/kernel";
import { resealOrchestratorSecrets } from "@orchestrator/orchestrator";
import { resealUptimeSecrets } from "@orchestrator/uptime";
import { prepareDataFolder } from "./data-folder.ts";
import { openProgramDatabase } from "./program-database.ts";
import { openProgramKeyring } from "./program-keyring.ts";
import { migrationsOf } from "./services.ts";
import type { ProgramSettings, ServiceName } from "./settings.ts";

const RESEAL = {
  orchestrator: resealOrchestratorSecrets,
  uptime: resealUptimeSecrets,
} as const satisfies Readonly<Record<ServiceName, unknown>>;

/**
 * Seals everything under the active key at once, where no server runs that would do it by itself. It may be
 * stopped at any moment and run again.
 */
export async function resealSecrets(settings: ProgramSettings): Promise<Resealing> {
  const log = createLogger({ ...settings.log, name: "server" });
  await prepareDataFolder(settings.home);
  const keyring = openProgramKeyring(settings);
  const { db, close } = await openProgramDatabase({
    settings,
    migrations: migrationsOf(settings.server.services),
    stats: { onCommit: () => {} },
    log,
  });
  try {
    let resealed = 0;
    const problems: KeyringError[] = [];
    for (const name of settings.server.services) {
      const done = await RESEAL[name]({ db, keyring });
      resealed += done.resealed;
      problems.push(...done.problems);
    }
    return { resealed, problems };
  } finally {
    await close();
  }
}
