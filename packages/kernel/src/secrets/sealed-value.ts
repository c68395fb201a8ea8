import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { KeyringError } from "./keyring-error.ts";
import type { SealingKey } from "./sealing-key.ts";

// A sealed value is `sealed:v1:<key id>:<base64url of iv, tag, ciphertext>`. The part before the
// payload and the context are authenticated with it, so neither can be exchanged.

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SHAPE = /^sealed:v1:([0-9a-f]{8}):([A-Za-z0-9_-]{38,})$/;

export function isSealed(text: string): boolean {
  return SHAPE.test(text);
}

/** The id of the key that a value is sealed with. */
export function sealedKeyId(sealed: string): string {
  return parseSealed(sealed).keyId;
}

export function sealWith(sealingKey: SealingKey, plaintext: string, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealingKey.key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundData(sealingKey.id, context));
  const body = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  const payload = Buffer.concat([iv, cipher.getAuthTag(), body]);
  return `sealed:v1:${sealingKey.id}:${payload.toString("base64url")}`;
}

export function openWith(sealingKey: SealingKey, sealed: string, context: string): string {
  const { payload } = parseSealed(sealed);
  const iv = payload.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, sealingKey.key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundData(sealingKey.id, context));
  decipher.setAuthTag(payload.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const body = decipher.update(payload.subarray(IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]).toString("utf8");
  } catch {
    // The cipher's own error says less than this one.
    throw notAuthentic(context);
  }
}

function boundData(keyId: string, context: string): Buffer {
  return Buffer.from(`sealed:v1:${keyId}:${context}`, "utf8");
}

interface SealedParts {
  readonly keyId: string;
  readonly payload: Buffer;
}

function parseSealed(sealed: string): SealedParts {
  const [, keyId, encoded] = SHAPE.exec(sealed) ?? [];
  if (keyId === undefined || encoded === undefined) {
    throw new KeyringError("not_sealed", "The text is not a sealed value.");
  }
  const payload = Buffer.from(encoded, "base64url");
  // Decoding ignores spare bits at the end; a value has one spelling, so that every change is
  // noticed.
  if (payload.toString("base64url") !== encoded) {
    throw new KeyringError("not_sealed", "The text is not a sealed value.");
  }
  return { keyId, payload };
}

function notAuthentic(context: string): KeyringError {
  return new KeyringError(
    "not_authentic",
    `The sealed value of ${context} has been altered or was sealed for another place.`,
  );
}
