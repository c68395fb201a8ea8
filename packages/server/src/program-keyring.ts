import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Keyring, KeyringError, openKeyring } from "@orchestrator/kernel/secrets";
import type { ProgramSettings } from "./settings.ts";
import { StartupError, systemCode } from "./startup-error.ts";

/** Finds keys that cannot be used before anything else is touched; makes none. */
export function checkProgramKeyring(settings: ProgramSettings): void {
  if (settings.secrets.key !== null || existsSync(secretsFolder(settings))) {
    openProgramKeyring(settings);
  }
}

/** The sealing keys of the program, made at the first start. */
export function openProgramKeyring(settings: ProgramSettings): Keyring {
  const folder = secretsFolder(settings);
  try {
    return openKeyring({ folder, secretKey: settings.secrets.key });
  } catch (error) {
    if (error instanceof KeyringError) throw error;
    throw new StartupError(
      `The sealing keys in ${folder} cannot be used (${systemCode(error)}): it must be a folder that this user can read and write`,
    );
  }
}

function secretsFolder({ home }: ProgramSettings): string {
  return join(home, "secrets");
}
