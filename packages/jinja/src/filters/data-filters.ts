import { htmlSafe, TemplateJsonWriter } from "../formats/json-text.ts";
import { TemplateError } from "../template-error.ts";
import { filter, wholeArgument } from "../values/arguments.ts";
import { compare } from "../values/comparing.ts";
import { Dict, isText, List, SafeText, Tuple, type Value } from "../values/kinds.ts";
import { lengthOf } from "../values/points.ts";
import { printNested, printValue } from "../values/printing.ts";
import type { TemplateFilter } from "../values/run.ts";

const tojson = filter("indent?", (run, value, [indent = null]) => {
  const writer = new TemplateJsonWriter(run.meter, {
    indent: indent === null ? null : wholeArgument(indent, 0),
  });
  return new SafeText(htmlSafe(writer.write(value)));
});

const MAX_WIDTH = 80;

const pprint = filter("", (run, value) => {
  const text = pretty(value, { indent: 0, allowance: 0 });
  run.meter.spendText(text.length);
  return text;
});

interface Room {
  readonly indent: number;
  /** What follows on the last line. */
  readonly allowance: number;
}

/** On one line where there is room, else one line for each member. */
function pretty(value: Value, { indent, allowance }: Room): string {
  const sorted = withSortedKeys(value);
  const line = printNested(sorted);
  if (indent > MAX_WIDTH * 5) throw new TemplateError("values are nested too deep");
  if (lengthOf(line) <= MAX_WIDTH - indent - allowance) return line;
  const [opening, closing] = value instanceof Tuple ? "()" : value instanceof List ? "[]" : "{}";
  const members = memberTexts(sorted, indent, allowance);
  if (members === null) return line;
  return `${opening}${members.join(`,\n${" ".repeat(indent + 1)}`)}${closing}`;
}

function memberTexts(value: Value, indent: number, allowance: number): string[] | null {
  const room = (place: number, count: number, more = 0): Room => ({
    indent: indent + 1 + more,
    allowance: place === count - 1 ? allowance + 1 : 1,
  });
  if (value instanceof List || value instanceof Tuple) {
    const { items } = value;
    return items.map((item, place) => pretty(item, room(place, items.length)));
  }
  if (!(value instanceof Dict)) return null;
  const entries = value.entries();
  return entries.map(([key, member], place) => {
    const name = `${printNested(key)}: `;
    return name + pretty(member, room(place, entries.length, lengthOf(name)));
  });
}

function withSortedKeys(value: Value): Value {
  if (value instanceof List) return new List(value.items.map(withSortedKeys));
  if (value instanceof Tuple) return new Tuple(value.items.map(withSortedKeys));
  if (!(value instanceof Dict)) return value;
  const entries = value.entries().map(([key, member]) => [key, withSortedKeys(member)] as const);
  const areTexts = entries.every(([key]) => isText(key));
  return Dict.of(
    areTexts ? entries.toSorted(([one], [other]) => compare(one, other) ?? 0) : entries,
  );
}

export const DATA_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  tojson,
  pprint,
  string: filter("", (_run, value) => (value instanceof SafeText ? value : printValue(value))),
  safe: filter("", (_run, value) => new SafeText(printValue(value))),
};
