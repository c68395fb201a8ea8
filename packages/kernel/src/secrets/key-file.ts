import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import type { Clock } from "../clock/clock.ts";
import { createPrivateFile, hasCode, replacePrivateFile } from "./durable-file.ts";
import { KeyringError } from "./keyring-error.ts";
import { decodeKey, KEY_BYTES, type KeySet, keySet, sealingKey } from "./sealing-key.ts";

/** The content of the file; `active` is the id of the key that seals. */
export interface KeyFile {
  readonly active: string;
  readonly keys: readonly KeyFileEntry[];
}

export interface KeyFileEntry {
  readonly id: string;
  /** Base64. */
  readonly key: string;
  readonly created: string;
}

export function newKeyFileEntry(created: string): KeyFileEntry {
  const bytes = randomBytes(KEY_BYTES);
  return { id: sealingKey(bytes).id, key: bytes.toString("base64"), created };
}

/**
 * Makes the file with one random key unless there is one; of two processes that try, both end with
 * the same.
 */
export function ensureKeyFile(path: string, clock: Clock): void {
  if (keyFileVersion(path) !== null) return;
  const entry = newKeyFileEntry(clock.now());
  createPrivateFile(path, formatKeyFile({ active: entry.id, keys: [entry] }));
}

/**
 * Differs whenever the file has been replaced; null when there is none. Cheap enough to ask before
 * each sealing.
 */
export function keyFileVersion(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}/${stats.mtimeNs}/${stats.size}` : null;
}

export function readKeyFile(path: string): KeyFile {
  const content = readPrivateFile(path);
  const parsed = parseJson(content);
  if (!isKeyFile(parsed)) {
    throw new KeyringError(
      "bad_key_file",
      `The key file ${path} is damaged; restore it from a backup, since what it sealed cannot be opened without it.`,
    );
  }
  return parsed;
}

export function keySetFromFile({ active, keys }: KeyFile): KeySet {
  const made = keys.map((entry) => sealingKey(Buffer.from(entry.key, "base64")));
  const [first, ...others] = made.toSorted((a, b) => rank(a.id, active) - rank(b.id, active));
  if (!first) throw new TypeError("A key file that was read holds at least one key");
  return keySet(first, others);
}

/**
 * Changes the file under a lock, from what it holds at that moment: two changes at once would
 * otherwise lose a key, and with it every value it sealed.
 */
export function changeKeyFile(path: string, change: (current: KeyFile) => KeyFile): KeyFile {
  const lock = `${path}.lock`;
  takeLock(lock, path);
  try {
    const changed = change(readKeyFile(path));
    replacePrivateFile(path, formatKeyFile(changed));
    return changed;
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A lock left by a crash is not broken by guesswork on its age: a person decides. */
function takeLock(lock: string, path: string): void {
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    throw new KeyringError(
      "busy_key_file",
      `Another process is changing the key file ${path}; if none is, remove ${lock} and try again.`,
    );
  }
}

function readPrivateFile(path: string): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    throw missingKeyFile(path);
  }
  try {
    const mode = fstatSync(file).mode & 0o777;
    if (process.platform !== "win32" && (mode & 0o177) !== 0) {
      throw new KeyringError(
        "open_permissions",
        `The key file ${path} has mode ${mode.toString(8)}, which lets others at it; run "chmod 600 ${path}" and start again.`,
      );
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

export function missingKeyFile(path: string): KeyringError {
  return new KeyringError(
    "missing_key_file",
    `The key file ${path} is gone; restore it from a backup, since what it sealed cannot be opened without it.`,
  );
}

/** The parser's error is dropped on purpose: it quotes the text, and the text is the keys. */
function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null; // Refused by the check of the shape.
  }
}

function isKeyFile(value: unknown): value is KeyFile {
  if (typeof value !== "object" || value === null) return false;
  if (!("active" in value && "keys" in value && Array.isArray(value.keys))) return false;
  const { active, keys } = value;
  return keys.every(isKeyFileEntry) && keys.some((entry) => entry.id === active);
}

function isKeyFileEntry(value: unknown): value is KeyFileEntry {
  if (typeof value !== "object" || value === null) return false;
  if (!("id" in value && "key" in value && "created" in value)) return false;
  if (typeof value.key !== "string" || typeof value.created !== "string") return false;
  const bytes = decodeKey(value.key);
  return bytes !== null && sealingKey(bytes).id === value.id;
}

function rank(id: string, active: string): number {
  return id === active ? 0 : 1;
}

function formatKeyFile(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
