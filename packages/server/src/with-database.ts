import { createLogger } from "@orchestrator/kernel/log";
import type { Keyring } from "@orchestrator/kernel/secrets";
import type { Database } from "@orchestrator/kernel/storage";
import { prepareDataFolder } from "./data-folder.ts";
import { openProgramDatabase } from "./program-database.ts";
import { openProgramKeyring } from "./program-keyring.ts";
import { confineWorkspaces } from "./row-security.ts";
import { migrationsOf } from "./services.ts";
import type { ProgramSettings } from "./settings.ts";

/** For commands that work on the database beside, or instead of, a server. */
export async function withDatabase<Result>(
  settings: ProgramSettings,
  work: (opened: { readonly db: Database; readonly keyring: Keyring }) => Promise<Result>,
): Promise<Result> {
  const log = createLogger({ ...settings.log, name: "server" });
  await prepareDataFolder(settings.home);
  const keyring = openProgramKeyring(settings);
  const migrations = migrationsOf(settings.server.services, settings.server.authMode);
  const stats = { onCommit: () => {} };
  const { db, close } = await openProgramDatabase({ settings, migrations, stats, log });
  try {
    await confineWorkspaces(db, settings, { migrations, log });
    return await work({ db, keyring });
  } finally {
    await close();
  }
}
