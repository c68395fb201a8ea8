import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Where results are kept under a key. Give another one to keep them where several machines find
 * them.
 */
export interface ResultStorage {
  readonly read: (key: string) => Promise<Uint8Array | null>;
  /** Whole or not at all. */
  readonly write: (key: string, bytes: Uint8Array) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}

const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Files in a folder. */
export function localStorage(folder: string): ResultStorage {
  const pathOf = (key: string): string => join(folder, encodeURIComponent(key));
  return {
    async read(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },
    async write(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
      const unfinished = `${path}.${randomUUID()}`;
      await writeFile(unfinished, bytes, { mode: PRIVATE });
      await rename(unfinished, path);
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
