import { readJson, withoutFraction } from "@orchestrator/exact-json";

/**
 * What an answer says, with all digits. Whether a whole number was written as a float says only its
 * text.
 */
export function parseAnswer(text: string): unknown {
  return withoutFractions(readJson(text));
}

function withoutFractions(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return withoutFraction(value);
  const members = value as Record<string, unknown>;
  for (const name in members) members[name] = withoutFractions(members[name]);
  return members;
}
