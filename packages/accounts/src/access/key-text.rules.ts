import { createHash, randomBytes } from "node:crypto";

/**
 * Tells keys of this program apart from other secrets, for people and for those who scan for leaked
 * ones.
 */
const MARK = "orc_";
const SECRET_BYTES = 32;
/** Enough to recognise a key by, and nothing to guess the rest from. */
const SHOWN_CHARACTERS = MARK.length + 6;
const KEY = /^orc_[A-Za-z0-9_-]{43}$/;

export interface NewKey {
  readonly key: string;
  readonly prefix: string;
  readonly hash: string;
}

export function makeKey(): NewKey {
  const key = MARK + randomBytes(SECRET_BYTES).toString("base64url");
  return { key, prefix: keyPrefix(key), hash: hashKey(key) };
}

/** What a key is recognised by. */
export const keyPrefix = (key: string): string => key.slice(0, SHOWN_CHARACTERS);

/** Whether the text can be a key at all: what cannot is not looked up. */
export const looksLikeKey = (text: string): boolean => KEY.test(text);

/**
 * A key is 256 random bits and cannot be guessed, so the slow hash of passwords would add no
 * protection.
 */
export function hashKey(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("base64url");
}
