import { isMap, type JsonMap } from "@orchestrator/exact-json";

/** The key that makes an object a placeholder: a value that is worked out when a run is made. */
const KIND_KEYS = ["__prefect_kind", "__orchestrator_kind"] as const;

export interface Placeholder {
  readonly kind: unknown;
  readonly fields: JsonMap;
}

export function readPlaceholder(value: unknown): Placeholder | null {
  if (!isMap(value)) return null;
  const key = KIND_KEYS.find((name) => Object.hasOwn(value, name));
  return key === undefined ? null : { kind: value[key], fields: value };
}
