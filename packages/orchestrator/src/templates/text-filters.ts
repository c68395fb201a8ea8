// Filters of Jinja for texts that the engine does not have. Nothing here throws: the engine would crash on it.

import type { TemplateFilter } from "./filter-arguments.ts";
import { formatText } from "./format-text.ts";
import { numberIn, textOf } from "./humanize-numbers.ts";

/** As far as a text is widened or broken. */
const MAX_WIDTH = 10_000;

function widthOf(given: unknown, fallback: number): number {
  const width = numberIn(given) ?? fallback;
  return Math.min(Math.max(Math.trunc(width), 0), MAX_WIDTH);
}

const center: TemplateFilter = (value, given) => {
  const text = textOf(value);
  const room = widthOf(given("width", 0), 80) - text.length;
  if (room <= 0) return text;
  // An odd blank stands where Python puts it.
  const width = widthOf(given("width", 0), 80);
  const left = Math.floor(room / 2) + (room & width & 1);
  return " ".repeat(left) + text + " ".repeat(room - left);
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

const forceescape: TemplateFilter = (value) =>
  textOf(value).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);

const wordcount: TemplateFilter = (value) =>
  String(textOf(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0);

/** A text with its slashes, or pairs as the query of an address. */
const urlencode: TemplateFilter = (value) => {
  const pairs = pairsIn(value);
  if (pairs === null) return encoded(textOf(value)).replaceAll("%2F", "/");
  return pairs.map(([name, member]) => `${encoded(name)}=${encoded(member)}`).join("&");
};

function pairsIn(value: unknown): (readonly [string, string])[] | null {
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value))
    return value.flatMap((pair) =>
      Array.isArray(pair) ? [[textOf(pair[0]), textOf(pair[1])] as const] : [],
    );
  const members = value instanceof Map ? [...value] : Object.entries(value);
  return members.map(([name, member]) => [textOf(name), textOf(member)] as const);
}

function encoded(text: string): string {
  const whole = text.replace(/\p{Cs}/gu, "\ufffd");
  const plain = encodeURIComponent(whole);
  return plain.replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
}

const wordwrap: TemplateFilter = (value, given) => {
  const width = Math.max(widthOf(given("width", 0), 79), 1);
  const breaksLongWords = given("break_long_words", 1) !== false;
  const lineBreak = given("wrapstring", 2);
  const lines = textOf(value)
    .split("\n")
    .flatMap((line) => wrapped(line, { width, breaksLongWords }));
  return lines.join(typeof lineBreak === "string" ? lineBreak.slice(0, 100) : "\n");
};

function wrapped(
  line: string,
  { width, breaksLongWords }: { readonly width: number; readonly breaksLongWords: boolean },
): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length <= width) {
      current = longer;
      continue;
    }
    if (current !== "") lines.push(current);
    current = word;
    while (breaksLongWords && current.length > width) {
      lines.push(current.slice(0, width));
      current = current.slice(width);
    }
  }
  return [...lines, current];
}

const format: TemplateFilter = (value, given) => formatText(textOf(value), given);

export const TEXT_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  center,
  forceescape,
  format,
  urlencode,
  wordcount,
  wordwrap,
};
