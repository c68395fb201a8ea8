import { mapMembers } from "@orchestrator/exact-json";
import { isSchema } from "./json-schema.ts";

export const MASK = "********";

const SECRET_NAME =
  /pass(?:word|wd|phrase)|secret|token|credential|authorization|cookie|api[-_]?key|private[-_]?key|access[-_]?key/i;
const CREDENTIALS_IN_URL = /(\w:\/\/)[^/?#\s@]+@/g;

export function isSecretKey(key: string, declared: ReadonlySet<string>): boolean {
  return declared.has(key) || SECRET_NAME.test(key);
}

/**
 * A copy that may be shown to the caller and written to a log: secrets are masked, by declaration
 * or by name.
 */
export function maskSecrets(value: unknown, declared: ReadonlySet<string>): unknown {
  if (typeof value === "string") return value.replace(CREDENTIALS_IN_URL, `$1${MASK}@`);
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, declared));
  if (!isSchema(value)) return value;
  return mapMembers(value, (member, key) =>
    isSecretKey(key, declared) && member !== null ? MASK : maskSecrets(member, declared),
  );
}
