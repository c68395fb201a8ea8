// When files were changed, by ctime: it also changes when older contents replace newer ones.

import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/** By path; null where there is no such file. */
export type FileStamps = Map<string, number | null>;

export const stampOf = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? null;

export function isUnchanged(stamps: FileStamps): boolean {
  for (const [path, changedMs] of stamps) if (stampOf(path) !== changedMs) return false;
  return true;
}

/** Package managers touch these whenever they install something for a project. */
const OF_PACKAGES = ["package.json", "node_modules", "node_modules/.package-lock.json"];

/** Of what a project in a folder and the folders around it has installed. */
export function packageStamps(folder: string): FileStamps {
  const stamps: FileStamps = new Map();
  for (let at = folder; ; at = dirname(at)) {
    for (const name of OF_PACKAGES) {
      const path = join(at, name);
      const changedMs = stampOf(path);
      // Around the project only what is there counts.
      if (changedMs !== null || at === folder) stamps.set(path, changedMs);
    }
    if (at === dirname(at)) return stamps;
  }
}
