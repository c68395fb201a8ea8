import { constants } from "node:fs";
import { access, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { StartupError, systemCode } from "./startup-error.ts";

/** Says what is wrong with the data folder, if anything is, and touches nothing. */
export async function checkDataFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found !== null && !found.isDirectory()) {
    throw new StartupError(
      `The data folder ${folder} is a file: set ORCHESTRATOR_HOME to a folder`,
    );
  }
  if (found === null) return checkParent(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new StartupError(
      `The data folder ${folder} cannot be written: change its permissions, or set ORCHESTRATOR_HOME to another folder`,
    );
  }
}

/**
 * Makes sure the data folder is there. Only its last part is created: a parent that is missing is
 * more likely a typing mistake or a disk that is not mounted than a wish.
 */
export async function prepareDataFolder(folder: string): Promise<void> {
  await checkDataFolder(folder);
  if ((await stat(folder).catch(() => null)) === null) await create(folder);
}

async function checkParent(folder: string): Promise<void> {
  const parent = dirname(folder);
  try {
    await access(parent, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartupError(
      `The data folder ${folder} cannot be created ${await explain(error, parent)} set ORCHESTRATOR_HOME to another folder`,
    );
  }
}

async function create(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) === "EEXIST") return;
    const why = await explain(error, dirname(folder));
    throw new StartupError(
      `The data folder ${folder} cannot be created ${why} set ORCHESTRATOR_HOME to another folder`,
    );
  }
}

async function explain(error: unknown, parent: string): Promise<string> {
  const found = await stat(parent).catch(() => null);
  if (found === null) return `because ${parent} does not exist: create it, or`;
  if (!found.isDirectory()) return `because ${parent} is a file:`;
  return `(${systemCode(error)}): change the permissions of ${parent}, or`;
}
