// Values as bytes and back. Dates, maps, sets, big integers, binary data and cycles survive;
// functions and class methods do not.

import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";

/** Null when the value holds something that cannot be kept, such as a function. */
export function packValue(value: unknown): Buffer | null {
  try {
    return serialize(value);
  } catch {
    return null; // whoever wanted to keep it does without
  }
}

export function unpackValue(bytes: Uint8Array): unknown {
  return deserialize(bytes);
}

const MAX_KEY_BYTES = 1000;

export interface CallPlace {
  readonly key: string;
  /** Of the arguments; null when they cannot be compared. */
  readonly fingerprint: string | null;
}

/** The same text for the same arguments; null when they cannot be compared. */
function fingerprint(values: readonly unknown[]): string | null {
  if (values.length === 0) return "";
  const bytes = packValue(values);
  return bytes === null ? null : createHash("sha1").update(bytes).digest("base64url");
}

/** Which call of a run it is: where it stands in the run, and what it was given. */
export function placeOfCall(name: string, args: readonly unknown[]): CallPlace {
  const isLong = Buffer.byteLength(name) > MAX_KEY_BYTES;
  const key = isLong ? createHash("sha256").update(name).digest("base64url") : name;
  return { key, fingerprint: fingerprint(args) };
}
