import type { Keyring } from "./keyring.ts";
import { sealedKeyId } from "./sealed-value.ts";

/** The value sealed anew under the active key, or null when it already is. */
export function reseal(keyring: Keyring, sealed: string, context: string): string | null {
  if (sealedKeyId(sealed) === keyring.activeKeyId()) return null;
  return keyring.seal(keyring.open(sealed, context), context);
}
