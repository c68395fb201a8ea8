import type { JsonValue } from "@orchestrator/contract";
import { mapMembers } from "@orchestrator/exact-json";

const MAX_VALUE_CHARACTERS = 500;

type Metadata = Readonly<Record<string, string>>;

/** Cuts values that are too long, and marks them. */
export function cutMetadata(metadata: Metadata): Metadata {
  const entries = Object.entries(metadata).map(([name, value]) => {
    if (value.length <= MAX_VALUE_CHARACTERS) return [name, value] as const;
    return [name, `${firstCharacters(value, MAX_VALUE_CHARACTERS)}...`] as const;
  });
  return Object.fromEntries(entries);
}

/** Never half of a character. */
function firstCharacters(text: string, count: number): string {
  const cut = text.slice(0, count);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export interface ResultContent {
  readonly key: string | null;
  readonly type: string | null;
  readonly description: string | null;
  readonly data: JsonValue;
}

const WISHES = new Set(["artifact_key", "artifact_type", "artifact_description"]);
const KEY = /^[a-z0-9-]{1,1000}$/;
/** As of any artifact: it stands in an index. */
const MAX_TYPE = 255;

/** A result may say how it wants to be kept as an artifact; what it says is taken off it. */
export function resultContent(result: JsonValue): ResultContent {
  if (typeof result !== "object" || result === null || Array.isArray(result)) {
    return { key: null, type: null, description: null, data: result };
  }
  const members = result as Readonly<Record<string, JsonValue>>;
  const { artifact_key, artifact_type, artifact_description } = members;
  const key = textOf(artifact_key);
  const type = textOf(artifact_type);
  return {
    key: key !== null && KEY.test(key) ? key : null,
    type: type !== null && type.length <= MAX_TYPE ? type : null,
    description: textOf(artifact_description),
    data: mapMembers(members, (member, name) => (WISHES.has(name) ? undefined : member)),
  };
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
