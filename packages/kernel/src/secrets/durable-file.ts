import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * How file systems without hard links, such as some shared folders, answer; there a plain exclusive
 * write must do.
 */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Replaces a private file in one step: a reader, or a crash, meets the old content or the new,
 * never half.
 */
export function replacePrivateFile(path: string, content: string): void {
  withTemporary(path, content, (temporary) => {
    renameSync(temporary, path);
  });
}

/**
 * Creates a private file with all its content in one step; false when there is one already, which
 * stays as it is. Linking is the one operation that both refuses to replace and never shows half a
 * file.
 */
export function createPrivateFile(path: string, content: string): boolean {
  // Not `recursive`: on file systems that refuse new folders that can go on for ever.
  isCreated(() => mkdirSync(dirname(path), { mode: 0o700 }));
  return withTemporary(path, content, (temporary) =>
    isCreated(() => {
      try {
        linkSync(temporary, path);
      } catch (error) {
        if (!NO_LINKS.some((code) => hasCode(error, code))) throw error;
        writeSynced(path, content);
      }
    }),
  );
}

function isCreated(create: () => void): boolean {
  try {
    create();
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function withTemporary<T>(path: string, content: string, act: (temporary: string) => T): T {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeSynced(temporary, content);
    const result = act(temporary);
    syncFolder(dirname(path));
    return result;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeSynced(path: string, content: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A new name in a folder survives a power cut only once the folder itself is on the disk. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
