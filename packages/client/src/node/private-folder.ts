import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;

/**
 * A folder in the data folder that its owner alone may enter, also where it was made with other
 * rights before. The data folder itself may be shared on purpose: it is created for its owner
 * alone, and left as it is where it exists.
 */
export function makePrivateFolder(home: string, ...names: readonly string[]): string {
  mkdirSync(join(home, ...names), { recursive: true, mode: OWNER_ONLY });
  let folder = home;
  for (const name of names) {
    folder = join(folder, name);
    takeFromOthers(folder);
  }
  return folder;
}

function takeFromOthers(folder: string): void {
  if ((statSync(folder).mode & OTHERS) === 0) return;
  try {
    chmodSync(folder, OWNER_ONLY);
  } catch {
    // A file system without rights has none to take.
  }
}
