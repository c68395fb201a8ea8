import { charactersOf, List, SafeText, type Text, Tuple, type Value } from "../values/kinds.ts";
import { unescaped, withoutTags } from "../values/plain-text.ts";
import { type FoundMember, findMethod, type Methods } from "./method.ts";
import { FORMAT_METHODS } from "./text-formatting.ts";
import { PART_METHODS } from "./text-parts.ts";
import { SEARCH_METHODS } from "./text-searching.ts";
import { SHAPE_METHODS } from "./text-shapes.ts";

const METHODS: Methods<string> = { ...SHAPE_METHODS, ...SEARCH_METHODS, ...PART_METHODS };

/** What only text of web pages has. */
const MARKUP_METHODS: Methods<string> = {
  unescape: (text) => unescaped(text),
  striptags: (text) => withoutTags(text),
};

export function textMethod(value: Text, name: string): FoundMember | undefined {
  const formatting = findMethod(FORMAT_METHODS, value, name);
  if (formatting !== undefined) return formatting;
  const plain =
    value instanceof SafeText ? findMethod(MARKUP_METHODS, value.text, name) : undefined;
  if (plain !== undefined) return plain;
  const found = findMethod(METHODS, charactersOf(value), name);
  if (found?.kind !== "method" || !(value instanceof SafeText)) return found;
  return { kind: "method", call: (args, run) => safe(found.call(args, run)) };
}

/** What is made of safe text is safe. */
function safe(value: Value): Value {
  if (typeof value === "string") return new SafeText(value);
  if (value instanceof List) return new List(value.items.map(safe));
  return value instanceof Tuple ? new Tuple(value.items.map(safe)) : value;
}
