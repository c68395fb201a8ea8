// Text of web pages as it reads.

import { splitBlanks } from "./blanks.ts";

/** Comments first, then tags; what begins without an end is left as it is. */
export function withoutTags(text: string): string {
  const bare = withoutParts(withoutParts(text, "<!--", "-->"), "<", ">");
  return unescaped(splitBlanks(bare).join(" "));
}

function withoutParts(text: string, opening: string, closing: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf(opening, at);
    const end = start === -1 ? -1 : text.indexOf(closing, start);
    if (end === -1) return kept.join("") + text.slice(at);
    kept.push(text.slice(at, start));
    at = end + closing.length;
  }
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
  ["copy", "©"],
  ["hellip", "…"],
  ["mdash", "—"],
  ["ndash", "–"],
]);

export function unescaped(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{1,8}));/g,
    (found, ...parts) => {
      const [decimal, hex, name] = parts as (string | undefined)[];
      if (name !== undefined) return ENTITIES.get(name) ?? found;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}
