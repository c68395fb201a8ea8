// Results by cache key, until they expire.

import { createHash } from "node:crypto";
import { nowMs } from "../time.ts";
import type { ResultStorage } from "./result-storage.ts";
import { packValue, unpackValue } from "./values.ts";

interface CachedResult {
  readonly value: unknown;
  readonly expiresMs: number | null;
}

export interface CachePlace {
  readonly storage: ResultStorage;
  readonly key: string;
}

/** Keys may be long and hold anything; names of files may not. */
const nameOf = (key: string): string => `cache-${createHash("sha256").update(key).digest("hex")}`;

/** The value in a box, so that nothing and a value of nothing differ. */
export async function readCached({ storage, key }: CachePlace): Promise<{ value: unknown } | null> {
  const bytes = await storage.read(nameOf(key));
  if (bytes === null) return null;
  const { value, expiresMs } = unpackValue(bytes) as CachedResult;
  return expiresMs !== null && expiresMs <= nowMs() ? null : { value };
}

/** Says whether the value could be kept. */
export async function writeCached(
  { storage, key }: CachePlace,
  value: unknown,
  expiresMs: number | null,
): Promise<boolean> {
  const bytes = packValue({ value, expiresMs } satisfies CachedResult);
  if (bytes === null) return false;
  await storage.write(nameOf(key), bytes);
  return true;
}
