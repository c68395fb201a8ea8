import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { mapMembers, mergeMembers } from "@orchestrator/exact-json";
import { maskSecrets } from "@orchestrator/kernel/http";
import { MASK } from "@orchestrator/kernel/pure";

/** Which of a block's values are secret, as its schema says. */
export interface BlockSecrets {
  /** Keys from the outside in; `*` stands for everything below. */
  readonly paths: readonly (readonly string[])[];
  /**
   * A schema that names no fields says nothing of secrets either: then names decide, such as
   * `password`.
   */
  readonly isUndescribed: boolean;
}

export function secretsOf(fields: JsonObject): BlockSecrets {
  const listed = Array.isArray(fields["secret_fields"]) ? fields["secret_fields"] : [];
  const properties = isSecretObject(fields["properties"]) ? fields["properties"] : {};
  const declared = Object.entries(properties)
    .filter(([, property]) => isSecretObject(property) && isDeclaredSecret(property))
    .map(([name]) => [name]);
  const paths = listed
    .filter((path) => typeof path === "string")
    .map((path) => (path as string).split("."));
  return {
    paths: [...paths, ...declared],
    isUndescribed: paths.length === 0 && Object.keys(properties).length === 0,
  };
}

function isDeclaredSecret(property: JsonObject): boolean {
  return property["writeOnly"] === true || property["format"] === "password";
}

/** A copy that may be shown to anyone: where there is a secret, there is the mask. */
export function maskData(data: JsonObject, { paths, isUndescribed }: BlockSecrets): JsonObject {
  if (isUndescribed) return maskSecrets(data, new Set()) as JsonObject;
  return paths.reduce<JsonValue>(maskAt, data) as JsonObject;
}

function maskAt(value: JsonValue, path: readonly string[]): JsonValue {
  const [key, ...rest] = path;
  if (value === null) return null;
  if (key === undefined) return MASK;
  if (key === "*") return isSecretObject(value) ? maskLeaves(value) : MASK;
  if (isArray(value)) return value.map((item) => maskAt(item, path));
  if (!isSecretObject(value)) return value;
  if (Object.hasOwn(value, key))
    return mergeMembers(value, { [key]: maskAt(value[key] ?? null, rest) });
  // The path does not name the keys of a map whose values hold the secret.
  return mapMembers(value, (member) =>
    isSecretObject(member) && Object.hasOwn(member, key) ? maskAt(member, path) : member,
  );
}

function maskLeaves(value: JsonObject): JsonObject {
  return mapMembers(value, (member) => {
    if (member === null) return null;
    return isSecretObject(member) ? maskLeaves(member) : MASK;
  });
}

/**
 * The values that came back as they were shown, masked, are those that are stored; everything else
 * is as it was sent.
 */
export function restoreMasked(
  sent: JsonObject,
  { stored, shown }: { readonly stored: JsonObject; readonly shown: JsonObject },
): JsonObject {
  return restore(sent, stored, shown) as JsonObject;
}

function restore(
  sent: JsonValue,
  stored: JsonValue | undefined,
  shown: JsonValue | undefined,
): JsonValue {
  if (stored === undefined || shown === undefined) return sent;
  if (typeof shown === "string") return sent === shown ? stored : sent;
  if (isArray(sent) && isArray(stored) && isArray(shown))
    return sent.map((item, index) => restore(item, stored[index], shown[index]));
  if (!isSecretObject(sent) || !isSecretObject(stored) || !isSecretObject(shown)) return sent;
  return mapMembers(sent, (member, key) =>
    restore(member, ownMember(stored, key), ownMember(shown, key)),
  );
}

export function holdsMask(value: JsonValue): boolean {
  if (isArray(value)) return value.some(holdsMask);
  return isSecretObject(value) ? Object.values(value).some(holdsMask) : value === MASK;
}

const MAX_TOLD_CHARACTERS = 1000;

/**
 * The short texts at the top that are no secret, for an event: those that look like one by their
 * name are left out too.
 */
export function openTexts(data: JsonObject, secrets: BlockSecrets): JsonObject {
  const shown = maskSecrets(maskData(data, secrets), new Set()) as JsonObject;
  const open = Object.entries(data).filter(
    ([key, value]) =>
      typeof value === "string" && value.length <= MAX_TOLD_CHARACTERS && shown[key] === value,
  );
  return Object.fromEntries(open);
}

export function isSecretObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function ownMember(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
