import { homedir } from "node:os";
import { resolve } from "node:path";
import { openSession, type Session } from "../report/session.ts";
import { loadBlock } from "../resources/blocks.ts";
import { localStorage, type ResultStorage } from "./result-storage.ts";

const FOLDER_TYPE = "local-file-system";

interface FolderValues {
  readonly basepath?: string | null;
}

/** Where an author wants results kept: a storage, or the name of a block that says where. */
export function storageFrom(given: ResultStorage | string): ResultStorage {
  return typeof given === "string" ? blockStorage(given) : given;
}

/** The block is read when it is first needed, and once. */
function blockStorage(slug: string): ResultStorage {
  if (!slug.startsWith(`${FOLDER_TYPE}/`)) {
    throw new TypeError(
      `Results are kept in blocks of the type ${FOLDER_TYPE}, and not in ${slug}: give an object with read, write and remove instead`,
    );
  }
  const open = (): Promise<ResultStorage> => openOnce(openSession(), slug);
  return {
    read: async (key) => (await open()).read(key),
    write: async (key, bytes) => (await open()).write(key, bytes),
    remove: async (key) => (await open()).remove(key),
  };
}

const opened = new WeakMap<Session, Map<string, Promise<ResultStorage>>>();

function openOnce(session: Session, slug: string): Promise<ResultStorage> {
  const known = opened.get(session) ?? new Map<string, Promise<ResultStorage>>();
  opened.set(session, known);
  const found = known.get(slug) ?? folderOf(slug);
  known.set(slug, found);
  // What failed is tried again by the next who needs it.
  found.catch(() => known.delete(slug));
  return found;
}

async function folderOf(slug: string): Promise<ResultStorage> {
  const { basepath } = (await loadBlock<FolderValues>(slug)).values;
  if (!basepath) throw new Error(`The block ${slug} names no folder: set its basepath`);
  return localStorage(resolve(basepath.replace(/^~(?=\/|$)/, homedir())));
}
