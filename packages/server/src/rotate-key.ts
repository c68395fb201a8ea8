import { join } from "node:path";
import { openKeyring } from "@orchestrator/kernel";
import { prepareDataFolder } from "./data-folder.ts";
import type { ProgramSettings } from "./settings.ts";

/**
 * Makes a new sealing key the active one and returns its id. Older keys stay in the key file, so
 * everything they sealed can still be opened; servers that run pick the new key up by themselves.
 */
export async function rotateSealingKey({ home, secrets }: ProgramSettings): Promise<string> {
  await prepareDataFolder(home);
  return openKeyring({ folder: join(home, "secrets"), secretKey: secrets.key }).rotate();
}
