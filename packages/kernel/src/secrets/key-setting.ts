import type { SettingType } from "../config/setting-types.ts";
import { KeyringError } from "./keyring-error.ts";
import { decodeKey, type KeySet, keySet, sealingKey } from "./sealing-key.ts";

const EXPECTED =
  "32 bytes in base64 or hex; after a comma, earlier keys that only open older values";

/**
 * For the setting that holds the keys, so that a bad one is reported together with all other
 * settings.
 */
export const secretKeys: SettingType<string> = {
  expected: EXPECTED,
  parse: (given) => (splitKeys(given).every((item) => decodeKey(item)) ? given : undefined),
  format: () => "",
};

export function keySetFromSetting(given: string): KeySet {
  const keys = splitKeys(given).map((item, index) => {
    const bytes = decodeKey(item);
    if (bytes) return sealingKey(bytes);
    throw new KeyringError(
      "bad_key_setting",
      `Key ${index + 1} of the secret key setting cannot be used; expected ${EXPECTED}.`,
    );
  });
  const [active, ...others] = keys;
  if (!active) throw new KeyringError("bad_key_setting", "The secret key setting holds no key.");
  return keySet(active, others);
}

function splitKeys(given: string): readonly string[] {
  return given.split(",").map((item) => item.trim());
}
