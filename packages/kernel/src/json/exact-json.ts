import { randomUUID } from "node:crypto";

// A number keeps whole numbers up to 2^53. Longer ones, which other languages read and write, are bigints in memory: whoever
// walks through JSON passes them on, and whoever writes it without knowing of them fails rather than alters them.

/** A whole number with fewer digits is always kept by a number. */
const LONG = 16;
/** No more than other readers of JSON take; the time to read one grows faster than its length. */
export const MOST_DIGITS = 4300;

/** Marks texts that stand for a number while JSON is read or written. Nobody outside of the process knows it. */
const MARK = `whole number ${randomUUID()} `;
const QUOTED_MARK = new RegExp(`"${MARK}(-?\\d+)"`, "g");

/** Texts are matched to be passed over; of a number with a fraction or an exponent no part is meant. */
const TEXT_OR_LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** `JSON.parse`, but whole numbers that a number would alter are bigints. */
export function readJson(text: string): unknown {
  // Also of what is read anew: what is no JSON fails here, and its message quotes the text as it is.
  const value: unknown = JSON.parse(text);
  return mayHoldLongInteger(text) ? readExactly(text) : value;
}

/** The same for a text that was read before. A number of more digits than are taken is an infinite one. */
export function readExactly(text: string): unknown {
  const marked = text.replace(TEXT_OR_LONG_INTEGER, (token) =>
    token.startsWith('"') || !isLong(token) ? token : `"${MARK}${token}"`,
  );
  if (marked.length === text.length) return JSON.parse(text);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

/** `JSON.stringify` that knows how to write bigints. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return writeExactly(value);
  }
}

function writeExactly(value: unknown): string {
  const marked = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "bigint" ? `${MARK}${member}` : member,
  );
  return marked.replace(QUOTED_MARK, "$1");
}

function isLong(token: string): boolean {
  const digits = token.startsWith("-") ? token.length - 1 : token.length;
  return digits <= MOST_DIGITS && !Number.isSafeInteger(Number(token));
}

/** Sixteen digits in a row end no earlier than sixteen characters behind what is none, so few characters are looked at. */
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
