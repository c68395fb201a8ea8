// Cuts a template into its texts and the tokens of its tags.

import { TemplateError } from "../template-error.ts";
import { scanTag } from "./scan-tag.ts";
import type { Token } from "./tokens.ts";

const OPENING = /\{[{%#]/g;
const RAW = /\{%[-+]?\s*raw\s*(?<trim>-?)%\}/y;
const RAW_END = /\{%(?<before>[-+]?)\s*endraw\s*(?:\+%\}|(?<after>-)%\}|%\})/g;

/** Lines end in one way, and the last one without any. */
export function normaliseLines(source: string): string {
  return source.replace(/\r\n?/g, "\n").replace(/\n$/, "");
}

export function scanTemplate(text: string): Token[] {
  const tokens: Token[] = [];
  const lineAt = lineCounter(text);
  let at = 0;
  const addText = (end: number, trimsEnd: boolean): void => {
    const part = text.slice(at, end);
    const kept = trimsEnd ? part.trimEnd() : part;
    if (kept !== "") tokens.push({ kind: "text", text: kept, line: lineAt(at) });
  };
  for (;;) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text);
    if (opening === null) {
      addText(text.length, false);
      return tokens;
    }
    const start = opening.index;
    const control = text[start + 2];
    addText(start, control === "-");
    const inside = control === "-" || control === "+" ? start + 3 : start + 2;
    const line = lineAt(start);
    if (opening[0] === "{#") {
      at = skipComment(text, inside, line);
      continue;
    }
    RAW.lastIndex = start;
    const raw = opening[0] === "{%" ? RAW.exec(text) : null;
    if (raw !== null) {
      at = trimmed(text, RAW.lastIndex, raw.groups?.["trim"]);
      if (at === text.length) return tokens;
      RAW_END.lastIndex = at;
      const end = RAW_END.exec(text);
      if (end === null) throw new TemplateError("syntax error: the raw block has no end", line);
      addText(end.index, end.groups?.["before"] === "-");
      at = trimmed(text, RAW_END.lastIndex, end.groups?.["after"]);
      continue;
    }
    const kind = opening[0] === "{%" ? "statement" : "expression";
    at = scanTag(text, { start: inside, kind, line }, tokens);
  }
}

/** Where the text goes on after a tag that takes the blanks behind it away. */
function trimmed(text: string, at: number, control: string | undefined): number {
  return control === "-" ? at + (text.slice(at).length - text.slice(at).trimStart().length) : at;
}

function skipComment(text: string, from: number, line: number): number {
  const end = text.indexOf("#}", from);
  if (end === -1) throw new TemplateError("syntax error: the comment has no end", line);
  return trimmed(text, end + 2, end > from ? text[end - 1] : undefined);
}

/** The line of a position, for positions asked in ascending order. */
function lineCounter(text: string): (position: number) => number {
  let line = 1;
  let end = text.indexOf("\n");
  return (position) => {
    for (; end !== -1 && end < position; end = text.indexOf("\n", end + 1)) line += 1;
    return line;
  };
}
