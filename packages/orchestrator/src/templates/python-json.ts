// JSON as Python writes it, and so Jinja: blanks behind commas and colons, and no letters but those of ASCII. The engine writes
// the values, because only it knows whole numbers from others; what it wrote is set anew here.

import type { TemplateFilter } from "./filter-arguments.ts";
import { textOf } from "./humanize-numbers.ts";
import { readTags } from "./template-tags.ts";

const NAME = "python_json";

/** The template with what sets JSON anew behind each filter that writes it. */
export function withPythonJson(template: string): string {
  if (!template.includes("tojson")) return template;
  let [text, at] = ["", 0];
  for (const { kind, words, starts } of readTags(template)) {
    for (const [index, word] of words.entries()) {
      const isFilter = index === 1 && kind === "statement" && words[0] === "filter";
      if (word !== "tojson" || !(isFilter || words[index - 1] === "|")) continue;
      const end = (starts[index] ?? 0) + word.length;
      // What stands in brackets belongs to ours then.
      text += `${template.slice(at, end)}|${NAME}`;
      at = end;
    }
  }
  return text + template.slice(at);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;
const MAX_INDENT = 16;
/** More than any result may have: what is longer comes to nothing, and needs no end. */
const MAX_LENGTH = 1_000_000;

const pythonJson: TemplateFilter = (value, given) => {
  const indent = indentOf(given("indent", 0));
  let [text, depth, last] = ["", 0, ""];
  const newLine = (): string => (indent === null ? "" : `\n${" ".repeat(indent * depth)}`);
  for (const [token] of textOf(value).matchAll(TOKEN)) {
    const isEnd = token === "]" || token === "}";
    if (isEnd) depth -= 1;
    const isFirst = last === "[" || last === "{";
    if (isFirst !== isEnd) text += newLine();
    else if (last === ",") text += indent === null ? " " : newLine();
    text += token === ":" ? ": " : scalar(token);
    if (token === "[" || token === "{") depth += 1;
    if (text.length > MAX_LENGTH) return text;
    last = token;
  }
  return text;
};

function indentOf(given: unknown): number | null {
  if (typeof given !== "number" && typeof given !== "boolean") return null;
  return Math.min(Math.max(Math.trunc(Number(given)), 0), MAX_INDENT);
}

function scalar(token: string): string {
  return token.startsWith('"') ? token.replaceAll(/[^ -~]/g, escaped) : withExponent(token);
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** With its sign, and two digits at least. */
function withExponent(token: string): string {
  const [, digits, sign = "", power = ""] = /^(-?[\d.]+)e([-+]?)(\d+)$/.exec(token) ?? [];
  return digits === undefined ? token : `${digits}e${sign || "+"}${power.padStart(2, "0")}`;
}

export const JSON_FILTERS: Readonly<Record<string, TemplateFilter>> = { [NAME]: pythonJson };
