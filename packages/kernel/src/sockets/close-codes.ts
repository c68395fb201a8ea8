/** Why a connection ends, in the numbers of the protocol (RFC 6455 and its registry). */
export const CLOSE = {
  done: 1000,
  protocolError: 1002,
  refused: 1008,
  failed: 1011,
  /** Clients take 1000 and 1001 for a wish to be left alone; after this one they come back. */
  restart: 1012,
  tooSlow: 1013,
} as const;

const MAX_REASON_BYTES = 123;

/** A reason as long as a closing frame can hold. */
export function shortReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return bytes
    .subarray(0, MAX_REASON_BYTES - 3)
    .toString("utf8")
    .replace(/\ufffd+$/u, "")
    .concat("…");
}
