import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const fingerprint = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** The fingerprint of an empty file. */
export const EMPTY = fingerprint(Buffer.alloc(0));

/**
 * Every file below a folder with a fingerprint of its content: the same as long as nothing was
 * changed.
 */
export async function folderContents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    contents[path] = entry.isFile() ? fingerprint(await readFile(path)) : "not a file";
  }
  return contents;
}
