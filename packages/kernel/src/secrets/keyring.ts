import { join } from "node:path";
import { type Clock, systemClock } from "../clock/clock.ts";
import {
  changeKeyFile,
  ensureKeyFile,
  keyFileVersion,
  keySetFromFile,
  missingKeyFile,
  newKeyFileEntry,
  readKeyFile,
} from "./key-file.ts";
import { keySetFromSetting } from "./key-setting.ts";
import { KeyringError } from "./keyring-error.ts";
import { openWith, sealedKeyId, sealWith } from "./sealed-value.ts";
import type { KeySet } from "./sealing-key.ts";

/** A key as it may be spoken of. */
export interface KeyringEntry {
  readonly id: string;
  readonly isActive: boolean;
  /** Null where nobody wrote down when it was made. */
  readonly created: string | null;
}

export interface Keyring {
  /** The id of the key that seals now. */
  readonly activeKeyId: () => string;
  /** All keys, in the order in which they were added. */
  readonly entries: () => readonly KeyringEntry[];
  /**
   * `context` names the place of the value, such as its table, row and column. It must be the same
   * when the value is opened, so that a sealed value cannot be moved to another place.
   */
  readonly seal: (plaintext: string, context: string) => string;
  readonly open: (sealed: string, context: string) => string;
  /**
   * Makes a new key the active one and returns its id; older keys stay and open what they sealed.
   */
  readonly rotate: () => string;
  /**
   * Forgets every key that neither is active nor among those in use, and returns the ids of the
   * forgotten. Only after everything is resealed: what such a key sealed is lost.
   */
  readonly dropUnused: (keyIdsInUse: Iterable<string>) => readonly string[];
}

export interface KeyringOptions {
  /** Where `keys.json` lives, made at first use. Untouched when the key comes from a setting. */
  readonly folder: string;
  /** Keys in base64 or hex, separated by commas: the first seals, the others only open. */
  readonly secretKey?: string | null;
  /** @default the system's clock */
  readonly clock?: Clock;
}

export function openKeyring({ folder, secretKey, clock = systemClock }: KeyringOptions): Keyring {
  const isGiven = secretKey !== undefined && secretKey !== null;
  return isGiven
    ? settingKeyring(keySetFromSetting(secretKey))
    : fileKeyring(join(folder, "keys.json"), clock);
}

function settingKeyring(keys: KeySet): Keyring {
  const refuseChange = (): never => {
    throw new KeyringError(
      "not_rotatable",
      "The secret key comes from a setting: to rotate it, put a new key before the present one, separated by a comma, and restart; once everything is resealed, take the old key out.",
    );
  };
  return {
    activeKeyId: () => keys.active.id,
    entries: () =>
      [...keys.byId.keys()].map((id) => ({ id, isActive: id === keys.active.id, created: null })),
    seal: (plaintext, context) => sealWith(keys.active, plaintext, context),
    open(sealed, context) {
      const id = sealedKeyId(sealed);
      const key = keys.byId.get(id);
      if (!key) throw unknownKey(id, context, "the secret key setting");
      return openWith(key, sealed, context);
    },
    rotate: refuseChange,
    dropUnused: refuseChange,
  };
}

function fileKeyring(path: string, clock: Clock): Keyring {
  ensureKeyFile(path, clock);
  let version: string | null = null;
  let keys = load();

  function load(): KeySet {
    // Asked before reading: a replacement in between is then noticed at the next look, not missed.
    const found = keyFileVersion(path);
    const loaded = keySetFromFile(readKeyFile(path));
    version = found;
    return loaded;
  }

  /**
   * Another process may have rotated; sealing on with a key that is about to be dropped would lose
   * the value.
   */
  function current(): KeySet {
    const found = keyFileVersion(path);
    if (found === null) throw missingKeyFile(path);
    if (found !== version) keys = load();
    return keys;
  }

  return {
    activeKeyId: () => current().active.id,
    entries() {
      const file = readKeyFile(path);
      return file.keys.map(({ id, created }) => ({ id, isActive: id === file.active, created }));
    },
    seal: (plaintext, context) => sealWith(current().active, plaintext, context),
    open(sealed, context) {
      const id = sealedKeyId(sealed);
      if (!keys.byId.has(id)) keys = load();
      const key = keys.byId.get(id);
      if (!key) throw unknownKey(id, context, `the key file ${path}`);
      return openWith(key, sealed, context);
    },
    rotate() {
      const { active } = changeKeyFile(path, (file) => {
        const entry = newKeyFileEntry(clock.now());
        return { active: entry.id, keys: [...file.keys, entry] };
      });
      keys = load();
      return active;
    },
    dropUnused(keyIdsInUse) {
      const kept = new Set(keyIdsInUse);
      const dropped: string[] = [];
      changeKeyFile(path, (file) => {
        const isKept = ({ id }: { id: string }): boolean => id === file.active || kept.has(id);
        dropped.push(...file.keys.filter((entry) => !isKept(entry)).map((entry) => entry.id));
        return { active: file.active, keys: file.keys.filter(isKept) };
      });
      keys = load();
      return dropped;
    },
  };
}

function unknownKey(id: string, context: string, source: string): KeyringError {
  return new KeyringError(
    "unknown_key",
    `The value of ${context} is sealed with key ${id}, which is not in ${source}; add that key to open it.`,
  );
}
