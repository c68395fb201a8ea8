// A number keeps whole numbers up to 2^53. Longer ones, which other languages read and write, are
// bigints in memory: whoever walks through JSON passes them on, and whoever writes it without
// knowing of them fails rather than alters them. Whole numbers that were written as floats are
// `Float`s. Names that look like indexes keep their places (`key-order.ts`).

import { floatOf, losesFraction } from "./float.ts";
import { isIndex, MOST_INDEX_DIGITS, objectInOrder } from "./key-order.ts";
import { NAME_MARK, theMark } from "./mark.ts";
import { writing } from "./writing.ts";

/** A whole number with fewer digits is always kept by a number. */
const LONG = 16;
/** `1e5`: what is shorter is no float, and not long. */
const SHORTEST = 3;
/** No more than other readers of JSON take; the time to read one grows faster than its length. */
export const MOST_DIGITS = 4300;

const QUOTE = 34;
const BACKSLASH = 92;
const MINUS = 45;
const COLON = 58;
const BLANK: ReadonlySet<number> = new Set(Array.from(" \n\r\t", (c) => c.charCodeAt(0)));
const ZERO = 48;
const IN_NUMBER: ReadonlySet<number> = new Set(
  Array.from("0123456789.eE+-", (c) => c.charCodeAt(0)),
);
/** What stands behind `1.0`: the end of a number, or an exponent. */
const BEHIND_ZEROS: ReadonlySet<number> = new Set(
  Array.from(",]} \n\r\teE", (c) => c.charCodeAt(0)),
);

/** A name that JavaScript may move; what the server has written has no space before the colon. */
const INDEX_NAME = /"\d+":/;

/**
 * `JSON.parse`, but whole numbers that a number would alter are bigints, those that were written as
 * floats `Float`s, and members stay in order. (Not so `1e5`, which programs write as `100000.0`: to
 * find it in a text is dear, as ids are full of it. Bodies of requests are looked through more
 * closely.)
 */
export function readJson(text: string): unknown {
  // Also of what is read anew: what is no JSON fails here, and its message quotes the text as it
  // is.
  const value: unknown = JSON.parse(text);
  const isExact = !mayHoldLongInteger(text) && !mayHoldFloat(text) && !INDEX_NAME.test(text);
  return isExact ? value : readExactly(text);
}

/** JSON in every way, but for a number that is beyond all of ours, such as `1e400`. */
export class NumberTooLarge extends SyntaxError {
  override readonly name = "NumberTooLarge";

  constructor() {
    super("A number in it is too large");
  }
}

/**
 * The same for what a person wrote: there is so little of it that `1e5` is looked for as well, and
 * numbers that are too large, which would be sent as null.
 */
export function readWrittenJson(text: string): unknown {
  JSON.parse(text);
  const value = readExactly(text);
  if (holdsInfinite(value)) throw new NumberTooLarge();
  return value;
}

function holdsInfinite(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(holdsInfinite);
  return value === Infinity || value === -Infinity;
}

/**
 * The same for a text that was read before. A number of more digits than are taken is an infinite
 * one.
 */
export function readExactly(text: string): unknown {
  const mark = theMark().text;
  const marked = withMarks(text, mark);
  return marked === text ? JSON.parse(text) : withoutMarks(JSON.parse(marked), mark);
}

/** `JSON.stringify` that knows how to write bigints and floats. */
export function writeJson(value: unknown): string {
  return written(value);
}

/** The same with every member on a line of its own. */
export function writeReadableJson(value: unknown): string {
  return written(value, 2);
}

function written(value: unknown, indent?: number): string {
  writing.marks = true;
  writing.hasMarkedNumbers = false;
  writing.hasMarkedNames = false;
  try {
    return unmarked(JSON.stringify(value, null, indent));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return unmarked(JSON.stringify(value, markBigint, indent));
  } finally {
    writing.marks = false;
  }
}

function markBigint(_name: string, member: unknown): unknown {
  return typeof member === "bigint" ? writing.markedNumber(`${member}`) : member;
}

function unmarked(json: string): string {
  const text = writing.hasMarkedNumbers ? json.replace(theMark().quotedNumber, "$1") : json;
  return writing.hasMarkedNames ? text.replace(theMark().quotedName, '"$1"') : text;
}

/**
 * Goes through JSON by hand: a pattern would take more of the stack than there is for a text of
 * some megabytes.
 */
function withMarks(json: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfText(json, at);
      if (isIndexName(json, at + 1, end - 1)) {
        parts.push(json.slice(copied, at + 1), mark, NAME_MARK);
        copied = at + 1;
      }
      at = end;
    } else if (code !== MINUS && !isDigit(code)) at += 1;
    else {
      const end = endOfNumber(json, at);
      const token = end - at < SHORTEST ? "" : json.slice(at, end);
      if (isWholeFloat(token) || isLongInteger(token)) {
        parts.push(json.slice(copied, at), `"${mark}${token}"`);
        copied = end;
      }
      at = end;
    }
  }
  return copied === 0 ? json : parts.join("") + json.slice(copied);
}

function endOfText(json: string, start: number): number {
  for (let end = start; ; ) {
    end = json.indexOf('"', end + 1);
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH) before -= 1;
    // Behind an odd number of backslashes a quote is part of the text.
    if ((end - before) % 2 === 1) return end + 1;
  }
}

function isIndexName(json: string, start: number, end: number): boolean {
  if (end - start > MOST_INDEX_DIGITS || !isDigit(json.charCodeAt(start))) return false;
  let next = end + 1;
  while (BLANK.has(json.charCodeAt(next))) next += 1;
  return json.charCodeAt(next) === COLON && isIndex(json.slice(start, end));
}

function endOfNumber(json: string, start: number): number {
  let end = start + 1;
  while (IN_NUMBER.has(json.charCodeAt(end))) end += 1;
  return end;
}

/** Of a number with a fraction or an exponent no part is meant. */
function isLongInteger(token: string): boolean {
  if (token.length > MOST_DIGITS + 1 || !/^-?\d{16,4300}$/.test(token)) return false;
  return !Number.isSafeInteger(Number(token));
}

function isWholeFloat(token: string): boolean {
  return /[.eE]/.test(token) && losesFraction(Number(token));
}

/** In place, which is the quickest, where no name is marked. */
function withoutMarks(value: unknown, mark: string): unknown {
  if (typeof value === "string")
    return value.startsWith(mark) ? numberIn(value.slice(mark.length)) : value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = withoutMarks(value[at], mark);
  } else if (typeof value === "object" && value !== null) {
    const members = value as Record<string, unknown>;
    let isNamed = false;
    for (const key in members) {
      members[key] = withoutMarks(members[key], mark);
      isNamed ||= key.startsWith(mark);
    }
    if (isNamed) return withPlainNames(members, mark);
  }
  return value;
}

function withPlainNames(members: Readonly<Record<string, unknown>>, mark: string): unknown {
  const length = mark.length + NAME_MARK.length;
  return objectInOrder(
    Object.entries(members).map(([name, member]) => {
      return [name.startsWith(mark) ? name.slice(length) : name, member];
    }),
  );
}

function numberIn(token: string): unknown {
  return isWholeFloat(token) ? floatOf(Number(token)) : BigInt(token);
}

/**
 * Sixteen digits in a row end no earlier than sixteen characters behind what is none, so few
 * characters are looked at.
 */
function mayHoldLongInteger(text: string): boolean {
  let last = -1;
  for (let end = LONG - 1; end < text.length; end = last + LONG) {
    let at = end;
    while (at > last && isDigit(text.charCodeAt(at))) at -= 1;
    if (at === last && !isFractional(text, end)) return true;
    last = at === last ? end : at;
  }
  return false;
}

/** Whether the digits that end there are a fraction, or stand before one. */
function isFractional(text: string, end: number): boolean {
  return text[end - LONG] === "." || text[end + 1] === ".";
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * Times have zeros behind a point as well, but no number ends there; other texts seldom have them.
 */
function mayHoldFloat(text: string): boolean {
  for (let at = text.indexOf(".0"); at !== -1; at = text.indexOf(".0", at)) {
    at += 2;
    while (text.charCodeAt(at) === ZERO) at += 1;
    if (at === text.length || BEHIND_ZEROS.has(text.charCodeAt(at))) return true;
  }
  for (let at = text.indexOf("+"); at !== -1; at = text.indexOf("+", at + 1)) {
    const isExponent = text[at - 1] === "e" || text[at - 1] === "E";
    if (isExponent && isDigit(text.charCodeAt(at - 2))) return true;
  }
  return false;
}
