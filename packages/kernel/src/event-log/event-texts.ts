// What a search of events looks through, as `search-sql.ts` says: the name, the values of all labels, and the JSON of the payload as it is
// stored. That is taken out of the stored text without understanding it: to read all of it and write it again would cost
// ten times as much, and might write a number in another way.

import type { Marks } from "../text-blocks/marks.ts";
import type { MarkedSource } from "../text-blocks/text-source.ts";

/** Between the name of an event and its body. */
const BEHIND_NAME = "\u0002";

export const EVENT_TEXTS: MarkedSource = {
  name: "events",
  table: "events",
  time: "occurred",
  holdsJson: true,
  rowsPerBlock: 64,
  text: ({ name }) =>
    name === "sqlite" ? "event || char(2) || body" : "event || chr(2) || body::text",
  size: "octet_length(cast(body as text))",
  mark: markEvent,
};

function markEvent(marks: Marks, text: string): void {
  const [name, body, ...more] = text.split(BEHIND_NAME);
  const members = body === undefined || more.length > 0 ? null : membersOf(body);
  if (name === undefined || members === null) {
    marks.addEverything();
    return;
  }
  marks.add(name);
  for (const [key, value] of members) {
    if (key === '"payload"') markJson(marks, value);
    else if (key === '"resource"') markLabels(marks, value, 1);
    else if (key === '"related"') markLabels(marks, value, 2);
    // Nobody writes a name in this way; it might be one of those.
    else if (key.includes("\\")) marks.addEverything();
  }
}

/** One engine hands it out as it was written, the other without the spaces between values. */
function markJson(marks: Marks, json: string): void {
  marks.add(json);
  const compact = json.replaceAll(STRING_OR_SPACE, (match) => (match.startsWith('"') ? match : ""));
  if (compact !== json) marks.add(compact);
}

const STRING_OR_SPACE = /"(?:\\.|[^"\\])*"|\s+/gs;

const QUOTE = '"'.charCodeAt(0);
const SPACE = " ".charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, COLON] = Array.from(
  "{}[],:",
  (character) => character.charCodeAt(0),
);

function isFollowedByColon(json: string, at: number): boolean {
  let next = at + 1;
  while (json.charCodeAt(next) <= SPACE) next += 1;
  return json.charCodeAt(next) === COLON;
}

/** The values of labels, of a resource or of several. How an engine writes what is no text is its own affair. */
function markLabels(marks: Marks, json: string, most: number): void {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(json, at);
      const text = json.slice(at, end + 1);
      at = end;
      if (isFollowedByColon(json, end)) continue;
      marks.add(text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1));
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth += 1;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth -= 1;
    else if (unit !== COMMA && unit !== COLON && unit > SPACE) marks.addEverything();
    if (depth > most) marks.addEverything();
  }
}

/** The members of a JSON object, key and value as they are written; null for what is none. */
export function membersOf(json: string): [key: string, value: string][] | null {
  if (!json.trimStart().startsWith("{")) return null;
  const members: [string, string][] = [];
  let depth = 0;
  let start = json.indexOf("{") + 1;
  let key = "";
  for (let at = start - 1; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(json, at);
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth += 1;
    else if (unit === COLON && depth === 1 && key === "") {
      key = json.slice(start, at).trim();
      start = at + 1;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET || (unit === COMMA && depth === 1)) {
      if (unit !== COMMA) depth -= 1;
      if (depth > 1 || (depth === 1 && unit !== COMMA)) continue;
      if (key !== "") members.push([key, json.slice(start, at).trim()]);
      key = "";
      start = at + 1;
    }
  }
  return depth === 0 ? members : null;
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
