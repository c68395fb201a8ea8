// How a text looks: its letters, its width, and what it consists of.

import { TemplateError } from "../template-error.ts";
import { bindArguments, textArgument, wholeArgument } from "../values/arguments.ts";
import { isBlank, type Sides, stripSigns } from "../values/blanks.ts";
import { lengthOf, pointsOf } from "../values/points.ts";
import type { Method, Methods } from "./method.ts";

const LETTER = /\p{L}/u;
const CASED = /\p{Lu}|\p{Ll}|\p{Lt}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
const TITLE_CASED = /\p{Lu}|\p{Lt}/u;

export function capitalised(text: string): string {
  const [first = "", ...rest] = pointsOf(text);
  return first.toUpperCase() + rest.join("").toLowerCase();
}

/** Every run of letters begins with a large one, as Python does it: also behind an apostrophe. */
function titled(text: string): string {
  let isInside = false;
  return pointsOf(text)
    .map((sign) => {
      const changed = isInside ? sign.toLowerCase() : sign.toUpperCase();
      isInside = CASED.test(sign);
      return changed;
    })
    .join("");
}

const swapped = (text: string): string =>
  pointsOf(text)
    .map((sign) => (UPPER.test(sign) ? sign.toLowerCase() : sign.toUpperCase()))
    .join("");

function isTitled(text: string): boolean {
  let [isInside, hasAny] = [false, false];
  for (const sign of text) {
    if (!CASED.test(sign)) {
      isInside = false;
      continue;
    }
    if (TITLE_CASED.test(sign) === isInside) return false;
    [isInside, hasAny] = [true, true];
  }
  return hasAny;
}

export const isUpper = (text: string): boolean => UPPER.test(text) && !LOWER.test(text);
export const isLower = (text: string): boolean => LOWER.test(text) && !UPPER.test(text);

const consistsOf =
  (sign: RegExp): Method<string> =>
  (text) =>
    text !== "" && Array.from(text).every((found) => sign.test(found));

const strip =
  (sides: Sides): Method<string> =>
  (text, args) => {
    const [signs = null] = bindArguments(args, ["chars?"]);
    if (signs === null) return stripSigns(text, isBlank, sides);
    const wanted = new Set(textArgument(signs, ""));
    return stripSigns(text, (sign) => wanted.has(sign), sides);
  };

/** How many signs go to the left of a text. */
type Share = (room: number, width: number) => number;

const fill =
  (share: Share): Method<string> =>
  (text, args, { meter }) => {
    const [given, sign] = bindArguments(args, ["width", "fillchar?"]);
    const width = wholeArgument(given, 0);
    const filler = textArgument(sign, " ");
    if (lengthOf(filler) !== 1) throw new TemplateError("texts are filled with one character");
    return filled(text, { width, filler, share, spend: (length) => meter.spendText(length) });
  };

interface Filling {
  readonly width: number;
  readonly filler: string;
  readonly share: Share;
  readonly spend: (length: number) => void;
}

function filled(text: string, { width, filler, share, spend }: Filling): string {
  const room = width - lengthOf(text);
  if (room <= 0) return text;
  spend(width);
  const left = share(room, width);
  return filler.repeat(left) + text + filler.repeat(room - left);
}

/** An odd blank stands where Python puts it. */
const CENTERED: Share = (room, width) => Math.floor(room / 2) + (room & width & 1);

export function centered(text: string, width: number, spend: (length: number) => void): string {
  return filled(text, { width, filler: " ", share: CENTERED, spend });
}

const zfill: Method<string> = (text, args, { meter }) => {
  const width = wholeArgument(bindArguments(args, ["width"])[0], 0);
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  const room = width - lengthOf(text);
  if (room <= 0) return text;
  meter.spendText(width);
  return `${sign}${"0".repeat(room)}${text.slice(sign.length)}`;
};

const expandtabs: Method<string> = (text, args, { meter }) => {
  const size = wholeArgument(bindArguments(args, ["tabsize?"])[0], 8);
  meter.spendText(text.length * Math.max(1, size));
  let [result, column] = ["", 0];
  for (const sign of text) {
    const width = sign === "\t" ? (size > 0 ? size - (column % size) : 0) : 1;
    result += sign === "\t" ? " ".repeat(width) : sign;
    column = sign === "\n" || sign === "\r" ? 0 : column + width;
  }
  return result;
};

export const SHAPE_METHODS: Methods<string> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  casefold: (text) => text.replaceAll("ß", "ss").toLowerCase(),
  capitalize: capitalised,
  title: titled,
  swapcase: swapped,
  strip: strip({ start: true, end: true }),
  lstrip: strip({ start: true, end: false }),
  rstrip: strip({ start: false, end: true }),
  center: fill(CENTERED),
  ljust: fill(() => 0),
  rjust: fill((room) => room),
  zfill,
  expandtabs,
  isalpha: consistsOf(LETTER),
  isalnum: consistsOf(/[\p{L}\p{N}]/u),
  isdigit: consistsOf(/[\p{Nd}²³¹⁰⁴-⁹₀-₉]/u),
  isdecimal: consistsOf(/\p{Nd}/u),
  isnumeric: consistsOf(/\p{N}/u),
  isspace: (text) => text !== "" && Array.from(text).every(isBlank),
  isupper: isUpper,
  islower: isLower,
  istitle: isTitled,
  isascii: (text) => Array.from(text).every((sign) => sign < "\x80"),
  isidentifier: (text) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u.test(text),
  isprintable: (text) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text),
};
