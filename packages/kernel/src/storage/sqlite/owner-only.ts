import { chmodSync, closeSync, openSync, realpathSync, statSync } from "node:fs";

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
/** SQLite gives the files that it makes beside a database the mode of the database. */
const BESIDE = ["", "-wal", "-shm", "-journal"];

/**
 * Creates a database file that its owner alone may read, or takes others' rights to the one that is
 * there. Answers with the files that could not be changed. An existing file is never opened:
 * closing it would drop the locks of this process on it.
 */
export function keepToOwner(file: string): readonly string[] {
  if (process.platform === "win32") return [];
  try {
    closeSync(openSync(file, "wx", OWNER_ONLY));
    return [];
  } catch {
    // It is there already, or SQLite says what is wrong with its place.
  }
  let real = file;
  try {
    real = realpathSync(file);
  } catch {
    return [];
  }
  return BESIDE.map((suffix) => real + suffix).filter((path) => !isKept(path));
}

function isKept(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? OWNER_ONLY;
  if ((mode & OTHERS) === 0) return true;
  try {
    chmodSync(path, OWNER_ONLY);
    return true;
  } catch {
    return false;
  }
}
