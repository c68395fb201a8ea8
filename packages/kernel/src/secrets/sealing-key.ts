import { createHash, createSecretKey, type KeyObject } from "node:crypto";

export const KEY_BYTES = 32;

export interface SealingKey {
  readonly id: string;
  /**
   * An object that prints and serializes as nothing, so that no log or error can show the key by
   * accident.
   */
  readonly key: KeyObject;
}

/** The keys that open values; the active one also seals. */
export interface KeySet {
  readonly active: SealingKey;
  readonly byId: ReadonlyMap<string, SealingKey>;
}

export function sealingKey(bytes: Buffer): SealingKey {
  const id = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  return { id, key: createSecretKey(bytes) };
}

export function keySet(active: SealingKey, others: readonly SealingKey[]): KeySet {
  return { active, byId: new Map([active, ...others].map((key) => [key.id, key])) };
}

/** The 32 bytes that a text gives in base64, base64url or hex, or null when it does not. */
export function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  return Buffer.from(text, "base64");
}
