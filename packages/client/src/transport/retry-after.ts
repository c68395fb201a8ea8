/**
 * The milliseconds a `Retry-After` asks for, which is a number of seconds, also a broken one, or a
 * date; null when it is neither.
 */
export function parseRetryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Other texts are dates to some engines, and not the same ones.
  const at = /^[a-z]+,? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
