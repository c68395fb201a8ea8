import { maskUrlsIn } from "../config/mask.ts";

export type JsonRecord = Record<string, unknown>;

const REDACTED = "[redacted]";
const MAX_DEPTH = 12;

const SECRET_WORD =
  /authorization|cookie|passw(?:or)?d|passphrase|secret|token|credential|(?:api|private|access|signing|encryption)[-_. ]?key|(?:database|db)[-_. ]?ur[il]|connection[-_. ]?string/i;
const SECRET_KEY = new RegExp(`${SECRET_WORD.source}|^(?:pwd|auth)$`, "i");
const SECRET_IN_LINE = new RegExp(`${SECRET_WORD.source}|"(?:pwd|auth)"`, "i");

/**
 * Whether a line needs `redact` at all. Errs on the side of yes; most lines say no, and
 * are then spared the parsing and the walk.
 */
export function mayHoldSecret(line: string): boolean {
  if (line.includes("://") && (line.includes("@") || line.includes("?"))) return true;
  return SECRET_IN_LINE.test(line);
}

/**
 * Hides what stands under a secret-looking key and the passwords in addresses. Changes the record
 * it is given.
 */
export function redact(record: JsonRecord): JsonRecord {
  redactMembers(record, 0);
  return record;
}

function redactMembers(holder: JsonRecord, depth: number): void {
  for (const [key, value] of Object.entries(holder)) {
    const hidden = SECRET_KEY.test(key) ? hideSecret(value) : redactValue(value, depth);
    if (hidden !== value) holder[key] = hidden;
  }
}

/** Whether a password is set may be told, and is what `null` and a boolean say. */
function hideSecret(value: unknown): unknown {
  return value === null || typeof value === "boolean" ? value : REDACTED;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return maskUrlsIn(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  redactMembers(value as JsonRecord, depth + 1);
  return value;
}
