import { createLogger } from "@orchestrator/kernel";
import { type Resealing, resealOrchestratorSecrets } from "@orchestrator/orchestrator";
import { prepareDataFolder } from "./data-folder.ts";
import { openProgramDatabase } from "./program-database.ts";
import { openProgramKeyring } from "./program-keyring.ts";
import { migrationsOf } from "./services.ts";
import type { ProgramSettings } from "./settings.ts";

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
    return await resealOrchestratorSecrets({ db, keyring });
  } finally {
    await close();
  }
}
