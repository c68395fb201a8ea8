import { formatMarkup, formatPercent } from "../formats/percent-format.ts";
import { capitalised, centered } from "../methods/text-shapes.ts";
import { TemplateError } from "../template-error.ts";
import { filter, textArgument, wholeArgument } from "../values/arguments.ts";
import { isBlank, stripSigns } from "../values/blanks.ts";
import { Dict, SafeText, Tuple, type Value } from "../values/kinds.ts";
import { LINE_END } from "../values/line-ends.ts";
import { lengthOf, slicePoints } from "../values/points.ts";
import { softTextOf } from "../values/printing.ts";
import type { TemplateFilter } from "../values/run.ts";
import { isTrue } from "../values/truth.ts";
import { wrapLine } from "./wrap-line.ts";

/** Text that is safe stays so where nothing is put into it. */
const ofText = (change: (text: string) => string): TemplateFilter =>
  filter("", (_run, value) => {
    const text = change(softTextOf(value));
    return value instanceof SafeText ? new SafeText(text) : text;
  });

/** A word begins behind blanks, brackets and hyphens. */
const titled = (text: string): string =>
  text.replace(
    /[^-\s({[<]+/g,
    (word) => slicePoints(word, 0, 1).toUpperCase() + slicePoints(word, 1).toLowerCase(),
  );

const trim = filter("chars?", (_run, value, [signs = null]) => {
  const wanted = signs === null ? null : new Set(textArgument(signs, ""));
  const goes = wanted === null ? isBlank : (sign: string) => wanted.has(sign);
  const text = stripSigns(softTextOf(value), goes, { start: true, end: true });
  return value instanceof SafeText ? new SafeText(text) : text;
});

const center = filter("width?", (run, value, [width]) =>
  centered(softTextOf(value), wholeArgument(width, 80), (length) => run.meter.spendText(length)),
);

const LEEWAY = 5;

const truncate = filter(
  "length? killwords? end? leeway?",
  (_run, value, [length, killWords = false, end, leeway = null]) => {
    const [most, last] = [wholeArgument(length, 255), textArgument(end, "...")];
    const more = wholeArgument(leeway ?? undefined, LEEWAY);
    if (most < lengthOf(last))
      throw new TemplateError(`takes a length of at least ${lengthOf(last)}`);
    if (more < 0) throw new TemplateError("takes no negative leeway");
    const text = softTextOf(value);
    if (lengthOf(text) <= most + more) return text;
    const cut = slicePoints(text, 0, most - lengthOf(last));
    if (isTrue(killWords)) return cut + last;
    const blank = cut.lastIndexOf(" ");
    return (blank === -1 ? cut : cut.slice(0, blank)) + last;
  },
);

const wordcount = filter("", (_run, value) =>
  BigInt(softTextOf(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
);

const wordwrap = filter(
  "width? break_long_words? wrapstring? break_on_hyphens?",
  (run, value, [width, breaksWords = true, wrap = null, atHyphens = true]) => {
    const shape = {
      width: wholeArgument(width, 79),
      breaksWords: isTrue(breaksWords),
      breaksAtHyphens: isTrue(atHyphens),
    };
    if (shape.width < 1) throw new TemplateError("takes a width of at least one");
    const between = wrap === null ? "\n" : textArgument(wrap, "\n");
    const text = softTextOf(value);
    const lines = text.replace(/\n$/, "").split(LINE_END);
    const wrapped = (text === "" ? [] : lines).flatMap((line) => {
      const parts = wrapLine(line, shape);
      return parts.length === 0 ? [""] : parts;
    });
    run.meter.spendText(wrapped.reduce((sum, part) => sum + part.length + between.length, 0));
    return wrapped.join(between);
  },
);

const indent = filter(
  "width? first? blank?",
  (run, value, [width, first = false, blank = false]) => {
    const indention = typeof width === "string" ? width : " ".repeat(checkedIndent(width));
    const newLine = "\n";
    const [top = "", ...rest] = softTextOf(value).split(newLine);
    run.meter.spendText((rest.length + 1) * (indention.length + 1));
    const indented = rest.map((line) => (line !== "" || isTrue(blank) ? indention + line : line));
    const text = [top, ...indented].join(newLine);
    run.meter.spendText(text.length);
    const whole = isTrue(first) ? indention + text : text;
    return value instanceof SafeText ? new SafeText(whole) : whole;
  },
);

function checkedIndent(width: Value | undefined): number {
  const size = wholeArgument(width, 4);
  if (size > 10_000) throw new TemplateError("takes a width of 10000 at most");
  return Math.max(size, 0);
}

const format: TemplateFilter = (run, value, { positional, named }) => {
  if (positional.length > 0 && named.size > 0)
    throw new TemplateError("takes values with names or without, not both");
  const given = named.size > 0 ? Dict.of(named) : new Tuple(positional);
  return value instanceof SafeText
    ? formatMarkup(run.meter, value.text, given)
    : formatPercent(run.meter, softTextOf(value), given);
};

export const TEXT_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  capitalize: ofText(capitalised),
  title: filter("", (_run, value) => titled(softTextOf(value))),
  trim,
  center,
  truncate,
  wordcount,
  wordwrap,
  indent,
  format,
};
