import { createHash, createHmac } from "node:crypto";
import { safeEqual } from "@orchestrator/kernel/secrets";

/** Tells tokens from ids in an address. */
export const TOKEN_PREFIX = "whk_";
export const TOKEN_BYTES = 32;
const DEFAULT_SIGNATURE_HEADER = "x-hub-signature-256";

export function tokenOf(random: Buffer): string {
  return TOKEN_PREFIX + random.toString("base64url");
}

/**
 * What is kept of a token. It has more randomness than could be tried out, so that a plain hash is
 * enough.
 */
export function hashWebhookToken(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

export interface SignedWebhookRequest {
  readonly secret: string;
  /** The header where the signature stands; null for the usual one. */
  readonly header: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Whether the body was signed with the secret: in hex, after `sha256=` or alone, or in base64. */
export function isSigned({ secret, header, headers, bytes }: SignedWebhookRequest): boolean {
  const given = headers[(header ?? DEFAULT_SIGNATURE_HEADER).toLowerCase()];
  if (given === undefined) return false;
  const signature = given.trim().replace(/^sha256=/i, "");
  const digest = createHmac("sha256", secret).update(bytes).digest();
  const isHex = safeEqual(signature.toLowerCase(), digest.toString("hex"));
  return safeEqual(signature, digest.toString("base64")) || isHex;
}
