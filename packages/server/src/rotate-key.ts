import { prepareDataFolder } from "./data-folder.ts";
import { openProgramKeyring } from "./program-keyring.ts";
import type { ProgramSettings } from "./settings.ts";

/**
 * Makes a new sealing key the active one and returns its id. Older keys stay in the key file, so
 * everything they sealed can still be opened; servers that run pick the new key up by themselves.
 */
export async function rotateSealingKey(settings: ProgramSettings): Promise<string> {
  await prepareDataFolder(settings.home);
  return openProgramKeyring(settings).rotate();
}
