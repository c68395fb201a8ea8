// Texts taken apart and put together.

import { TemplateError } from "../template-error.ts";
import { bindArguments, textArgument, wholeArgument } from "../values/arguments.ts";
import { splitBlanks } from "../values/blanks.ts";
import { List, Tuple } from "../values/kinds.ts";
import { LINE_END } from "../values/line-ends.ts";
import type { Meter } from "../values/meter.ts";
import { pointsOf } from "../values/points.ts";
import { spendSearch } from "../values/spending.ts";
import { isTrue } from "../values/truth.ts";
import type { Method, Methods } from "./method.ts";

const reversed = (text: string): string => pointsOf(text).toReversed().join("");

/** Cuts at each separator, from the start, at most so many times. */
function cutAt(text: string, separator: string, cuts: number): string[] {
  const parts: string[] = [];
  let at = 0;
  while (parts.length < cuts) {
    const next = text.indexOf(separator, at);
    if (next === -1) break;
    parts.push(text.slice(at, next));
    at = next + separator.length;
  }
  return [...parts, text.slice(at)];
}

/** The end is the start of the text read backwards. */
const split =
  (fromEnd: boolean): Method<string> =>
  (text, args, { meter }) => {
    const [given = null, most] = bindArguments(args, ["sep?", "maxsplit?"]);
    const asked = wholeArgument(most, -1);
    const cuts = asked < 0 ? Number.POSITIVE_INFINITY : asked;
    const source = fromEnd ? reversed(text) : text;
    const separator = given === null ? null : textArgument(given, "");
    if (separator === "") throw new TemplateError("a text cannot be split at nothing");
    spendSearch(meter, text, separator ?? "");
    const parts =
      separator === null
        ? splitBlanks(source, cuts)
        : cutAt(source, fromEnd ? reversed(separator) : separator, cuts);
    meter.spendItems(parts.length);
    return new List(fromEnd ? parts.map(reversed).toReversed() : parts);
  };

const splitlines: Method<string> = (text, args, { meter }) => {
  const keepsEnds = isTrue(bindArguments(args, ["keepends?"])[0] ?? false);
  const lines: string[] = [];
  let at = 0;
  for (const end of text.matchAll(LINE_END)) {
    lines.push(text.slice(at, end.index + (keepsEnds ? end[0].length : 0)));
    at = end.index + end[0].length;
  }
  if (at < text.length) lines.push(text.slice(at));
  meter.spendItems(lines.length);
  return new List(lines);
};

const partition =
  (fromEnd: boolean): Method<string> =>
  (text, args, { meter }) => {
    const separator = textArgument(bindArguments(args, ["sep"])[0], "");
    if (separator === "") throw new TemplateError("a text cannot be split at nothing");
    spendSearch(meter, text, separator);
    const at = fromEnd ? text.lastIndexOf(separator) : text.indexOf(separator);
    if (at === -1) return new Tuple(fromEnd ? ["", "", text] : [text, "", ""]);
    return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  };

/**
 * Replaces from the start, at most so many times; nothing is found before each character and at the
 * end.
 */
export function replaced(
  text: string,
  change: { readonly old: string; readonly by: string; readonly most: number },
  meter: Meter,
): string {
  const { old, by, most } = change;
  if (most === 0) return text;
  spendSearch(meter, text, old);
  const limit = most < 0 ? Number.POSITIVE_INFINITY : most;
  const parts = old === "" ? ["", ...pointsOf(text), ""] : text.split(old);
  const cuts = Math.min(parts.length - 1, limit);
  meter.spendText(text.length + cuts * by.length);
  return (
    parts.slice(0, cuts + 1).join(by) +
    parts
      .slice(cuts + 1)
      .map((part) => old + part)
      .join("")
  );
}

const replace: Method<string> = (text, args, { meter }) => {
  const [old, by, most] = bindArguments(args, ["old", "new", "count?"]);
  const change = {
    old: textArgument(old, ""),
    by: textArgument(by, ""),
    most: wholeArgument(most, -1),
  };
  return replaced(text, change, meter);
};

export const PART_METHODS: Methods<string> = {
  split: split(false),
  rsplit: split(true),
  splitlines,
  partition: partition(false),
  rpartition: partition(true),
  replace,
  removeprefix: (text, args) => {
    const prefix = textArgument(bindArguments(args, ["prefix"])[0], "");
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  },
  removesuffix: (text, args) => {
    const suffix = textArgument(bindArguments(args, ["suffix"])[0], "");
    return suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  },
};
