import { MASK } from "@orchestrator/kernel/pure";

/** Anything shorter would be found in every other word. */
const MIN_LENGTH = 4;

export const noMasker = (text: string): string => text;

/** A function that masks these secrets, in the ways they may be written. */
export function secretMasker(secrets: readonly string[]): (text: string) => string {
  const written = secrets
    .filter((secret) => secret.length >= MIN_LENGTH)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encoded(secret)]);
  const longestFirst = [...new Set(written)].sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return noMasker;
  return (text) => longestFirst.reduce((all, secret) => all.replaceAll(secret, MASK), text);
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
