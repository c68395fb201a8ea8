// What a search of events looks through, as `search-sql.ts` says: the name, the values of all
// labels, and the JSON of the payload as it is stored. That is taken out of the stored text without
// understanding it: to read all of it and write it again would cost ten times as much, and might
// write a number in another way.

import type { BloomBits } from "../text-blocks/bloom-bits.ts";
import type { IndexedTextSource } from "../text-blocks/text-source.ts";

/** Between the name of an event and its body. */
const BEHIND_NAME = "\u0002";

export const EVENT_TEXTS: IndexedTextSource = {
  name: "events",
  table: "events",
  time: "occurred",
  holdsJson: true,
  rowsPerBlock: 64,
  text: ({ name }) =>
    name === "sqlite" ? "event || char(2) || body" : "event || chr(2) || body::text",
  size: ({ name }) => `octet_length(${name === "sqlite" ? "body" : "body::text"})`,
  mark: markEvent,
};

function markEvent(marks: BloomBits, text: string): void {
  const start = text.indexOf(BEHIND_NAME);
  const members = start === -1 ? null : jsonMembersOf(text, start + 1);
  // With a second one, nobody can tell where the name ends.
  if (members === null || text.includes(BEHIND_NAME, start + 1)) {
    marks.addEverything();
    return;
  }
  marks.add(text, 0, start);
  for (const member of members) {
    const { key, from, to } = member;
    if (key === '"payload"') markPayload(marks, text, member);
    else if (key === '"resource"') markLabels(marks, text, { from, to, deepest: 1 });
    else if (key === '"related"') markLabels(marks, text, { from, to, deepest: 2 });
    // Nobody writes a name in this way; it might be one of those.
    else if (key.includes("\\")) marks.addEverything();
  }
}

/** One engine hands it out as it was written, the other without the spaces between values. */
function markPayload(marks: BloomBits, text: string, { from, to, isSpaced }: Member): void {
  marks.add(text, from, to);
  if (!isSpaced) return;
  const json = text.slice(from, to);
  marks.add(json.replaceAll(STRING_OR_SPACE, (match) => (match.startsWith('"') ? match : "")));
}

const STRING_OR_SPACE = /"(?:\\.|[^"\\])*"|\s+/gs;

const SPACE = " ".charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, COLON] = Array.from(
  "{}[],:",
  (character) => character.charCodeAt(0),
);

interface Labels {
  readonly from: number;
  readonly to: number;
  /** How deep the objects with the labels are. */
  readonly deepest: number;
}

/**
 * The values of labels, of a resource or of several. How an engine writes what is no text is its
 * own affair.
 */
function markLabels(marks: BloomBits, json: string, { from, to, deepest }: Labels): void {
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) {
      const start = at;
      at = endOfString(json, at);
      if (!isFollowedByColon(json, at)) markString(marks, json, { from: start, to: at + 1 });
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth += 1;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth -= 1;
    else if (unit !== COMMA && unit !== COLON && unit > SPACE) marks.addEverything();
    if (depth > deepest) marks.addEverything();
  }
}

function markString(
  marks: BloomBits,
  json: string,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const escape = json.indexOf("\\", from);
  if (escape === -1 || escape >= to) marks.add(json, from + 1, to - 1);
  else marks.add(JSON.parse(json.slice(from, to)) as string);
}

function isFollowedByColon(json: string, at: number): boolean {
  let next = at + 1;
  while (json.charCodeAt(next) <= SPACE) next += 1;
  return json.charCodeAt(next) === COLON;
}

/** A member of a JSON object: its key as it is written, and where its value is. */
interface Member {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** There are spaces outside of strings. */
  readonly isSpaced: boolean;
}

/**
 * The members of the JSON object that begins at a place and takes up the rest of a text; null for
 * what is none.
 */
export function jsonMembersOf(text: string, from = 0): Member[] | null {
  const members: Member[] = [];
  let depth = 0;
  let start = from;
  let key = "";
  let isSpaced = false;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit <= SPACE) isSpaced = true;
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      if (depth === 0 && (unit === OPEN_BRACKET || text.slice(from, at).trim() !== "")) return null;
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (unit === COLON && depth === 1 && key === "") {
      key = text.slice(start, at).trim();
      start = at + 1;
      isSpaced = false;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET || unit === COMMA) {
      if (unit !== COMMA) depth -= 1;
      if (depth > 1 || (depth === 1 && unit !== COMMA)) continue;
      if (key !== "") members.push({ key, from: start, to: at, isSpaced });
      key = "";
      start = at + 1;
    }
  }
  return depth === 0 && start > from ? members : null;
}

function endOfString(json: string, from: number): number {
  let at = json.indexOf('"', from + 1);
  while (at !== -1 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at === -1 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - 1 - before) % 2 === 1;
}
