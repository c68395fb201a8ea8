// What others answer may repeat what they were sent. Whatever is kept of it is without the secrets
// of the block.

import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { MASK } from "@orchestrator/kernel/pure";
import { withoutLoneSurrogates } from "./tidy-text.rules.ts";

/** Shorter ones would hide half of every text. */
const MIN_LENGTH = 4;

export type Hide = (text: string) => string;

/**
 * Replaces the secrets of a block, and the telling parts of secret addresses, wherever they stand;
 * `shown` is the block without them.
 */
export function blockSecretMasker(block: JsonObject, shown: JsonObject): Hide {
  const found = new Set<string>();
  for (const secret of secretTexts(block, shown))
    for (const form of formsOf(secret)) if (form.length >= MIN_LENGTH) found.add(form);
  if (found.size === 0) return (text) => text;
  // The longest first, or a part of it would be replaced and the rest stay.
  const forms = [...found].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((hidden, form) => hidden.replaceAll(form, MASK), text);
}

function secretTexts(value: JsonValue, shown: JsonValue | undefined): string[] {
  if (typeof value === "object" && value !== null) {
    const other = typeof shown === "object" && shown !== null ? (shown as JsonObject) : null;
    return Object.entries(value as JsonObject).flatMap(([key, member]) =>
      secretTexts(member, other === null ? MASK : other[key]),
    );
  }
  return value !== null && value !== shown ? [String(value)] : [];
}

function formsOf(secret: string): string[] {
  const parts = [secret, secret.trim(), ...(URL.canParse(secret) ? partsOf(new URL(secret)) : [])];
  return parts.flatMap((part) => [
    part,
    encoded(part),
    new URLSearchParams([["", part]]).toString().slice(1),
    decoded(part),
    JSON.stringify(part).slice(1, -1),
    Buffer.from(part).toString("base64"),
  ]);
}

/** The origin may be shown; the rest of an address is what makes it a secret. */
function partsOf(url: URL): string[] {
  const parts = [url.href, url.pathname, url.search.slice(1), url.hash.slice(1)];
  parts.push(url.username, url.password, `${url.username}:${url.password}`);
  parts.push(...url.pathname.split("/").filter((segment) => segment.length >= MIN_LENGTH * 2));
  parts.push(...url.searchParams.values());
  return parts.filter((part) => part !== "/" && part !== ":");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encoded(text: string): string {
  return encodeURIComponent(withoutLoneSurrogates(text));
}
