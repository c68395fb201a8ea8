export const KEYRING_ERROR_REASONS = [
  "bad_key_setting",
  "bad_key_file",
  "open_permissions",
  "missing_key_file",
  "busy_key_file",
  "unknown_key",
  "not_sealed",
  "not_authentic",
  "not_rotatable",
  "keys_in_use",
] as const;

export type KeyringErrorReason = (typeof KEYRING_ERROR_REASONS)[number];

/**
 * Sealing or opening cannot go on. For the operator, not for a caller: the message names files and
 * key ids. It never holds a key or a plaintext, and never a cause whose message could quote the key
 * file.
 */
export class KeyringError extends Error {
  override readonly name = "KeyringError";
  readonly reason: KeyringErrorReason;

  constructor(reason: KeyringErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
