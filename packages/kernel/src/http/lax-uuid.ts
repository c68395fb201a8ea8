export const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const BARE = /^[0-9a-f]{32}$/;

/** Lower case with hyphens, from any case with or without them; undefined when it is no UUID. */
export function normaliseUuid(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.toLowerCase();
  if (CANONICAL_UUID.test(text)) return text;
  if (!BARE.test(text)) return undefined;
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}
