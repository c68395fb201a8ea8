// Secrets are kept out of messages and details even where the target sends them back to us.

import { mapSecretParameters } from "@orchestrator/kernel/settings";
import type { CheckCredentials, CheckType, TypedConfig } from "./check.ts";

/** Headers, addresses and bodies also hold words such as `true` and `https`. */
const MIN_VALUE_LENGTH = 6;

/** Headers that say nothing about who is asking. */
const HARMLESS = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "pragma",
  "user-agent",
]);

export const isHarmlessHeader = (name: string): boolean => HARMLESS.has(name.toLowerCase());

const SECRET_HEADER =
  /auth|cookie|token|secret|passw|credential|session|signature|(?:^|[-_])(?:pass|pwd|key)(?:$|[-_])|apikey/i;

/** Whether the value of a header is kept sealed. */
export const isSecretHeader = (name: string): boolean => SECRET_HEADER.test(name);

/** The values of headers that nobody else may see, and what is in them. */
export function headerSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  const all = Object.entries(headers).flatMap(([name, value]) => {
    if (isHarmlessHeader(name)) return [];
    const [scheme = "", ...rest] = value.trim().split(/\s+/);
    const parameter = rest.join(" ");
    if (scheme.toLowerCase() !== "basic") return [value.trim(), parameter];
    const user = Buffer.from(parameter, "base64").toString("utf8");
    return [value.trim(), parameter, user, user.slice(user.indexOf(":") + 1)];
  });
  return all.filter((secret) => secret.length >= MIN_VALUE_LENGTH);
}

export function credentialSecrets({ username, password }: CheckCredentials): readonly string[] {
  return [password, Buffer.from(`${username}:${password}`).toString("base64")];
}

/** User and password of an address, as they are meant; null when it has none. */
export function credentialsOf(url: string): CheckCredentials | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || (parsed.username === "" && parsed.password === "")) return null;
  return { username: decoded(parsed.username), password: decoded(parsed.password) };
}

/** What looks secret in the query of an address, as it is written and as it is meant. */
export function querySecrets(url: string): readonly string[] {
  const found: string[] = [];
  mapSecretParameters(url, (value) => {
    found.push(value, decoded(value.replaceAll("+", " ")));
    return value;
  });
  return found.filter((secret) => secret.length >= MIN_VALUE_LENGTH);
}

/** A body, and the texts of its JSON or of its form: a target may name what it was sent. */
export function bodySecrets(body: string): readonly string[] {
  const texts = [body];
  try {
    mapTexts(JSON.parse(body), (text) => {
      texts.push(text);
      return text;
    });
  } catch {
    if (!/\s/.test(body)) texts.push(...new URLSearchParams(body).values());
  }
  return texts.filter((secret) => secret.length >= MIN_VALUE_LENGTH);
}

/** All that nobody may see of a check: whatever it keeps sealed, and what it names besides. */
export function secretsIn<Config extends TypedConfig>(
  check: Pick<CheckType<Config>, "mapSecrets" | "secrets">,
  config: Config,
): readonly string[] {
  const sealed: string[] = [];
  check.mapSecrets(config, (secret) => {
    sealed.push(secret);
    return secret;
  });
  return [...sealed, ...(check.secrets?.(config) ?? [])];
}

/** The same value with every text in it passed through a function. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]),
  );
}

/** Percent-encoded text as it is meant; as it is written where it is not properly encoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
