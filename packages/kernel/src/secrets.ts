// The door to secrets: keys, and values that are sealed with them.

export { secretKeys } from "./secrets/key-setting.ts";
export { type Keyring, openKeyring } from "./secrets/keyring.ts";
export { KeyringError } from "./secrets/keyring-error.ts";
export { reseal } from "./secrets/reseal.ts";
export { type ResealedRow, type Resealing, resealRows } from "./secrets/reseal-rows.ts";
export { safeEqual } from "./secrets/safe-equal.ts";
export { isSealed, sealedKeyId } from "./secrets/sealed-value.ts";
export { countSealedValues } from "./secrets/sealed-values.ts";
