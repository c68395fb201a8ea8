/**
 * The microseconds that a `Retry-After` asks for, which is a number of seconds or a date; null when
 * it is neither.
 */
export function retryAfterMicros(value: string | undefined, nowMicros: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Math.round(Number(text) * 1_000_000);
  const at = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at * 1000 - nowMicros);
}
