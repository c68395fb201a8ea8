// A number keeps whole numbers up to 2^53. Longer ones, which other languages read and write, are bigints in memory: whoever
// walks through JSON passes them on, and whoever writes it without knowing of them fails rather than alters them.

/** A whole number with fewer digits is always kept by a number. */
const LONG = 16;
/** No more than other readers of JSON take; the time to read one grows faster than its length. */
export const MOST_DIGITS = 4300;

interface Mark {
  /** At the beginning of texts that stand for a number while JSON is read or written. Nobody outside of the process knows it. */
  readonly text: string;
  readonly quoted: RegExp;
}
let made: Mark | undefined;

/** Made when it is first needed, which is seldom. */
function theMark(): Mark {
  if (made !== undefined) return made;
  const text = `${crypto.randomUUID().slice(0, 13)} `;
  made = { text, quoted: new RegExp(`"${text}(-?\\d+)"`, "g") };
  return made;
}

const QUOTE = 34;
const BACKSLASH = 92;
const MINUS = 45;
const IN_NUMBER: ReadonlySet<number> = new Set(
  Array.from("0123456789.eE+-", (c) => c.charCodeAt(0)),
);

/** `JSON.parse`, but whole numbers that a number would alter are bigints. */
export function readJson(text: string): unknown {
  // Also of what is read anew: what is no JSON fails here, and its message quotes the text as it is.
  const value: unknown = JSON.parse(text);
  return mayHoldLongInteger(text) ? readExactly(text) : value;
}

/** The same for a text that was read before. A number of more digits than are taken is an infinite one. */
export function readExactly(text: string): unknown {
  const mark = theMark().text;
  const marked = markLongIntegers(text, mark);
  return marked === text ? JSON.parse(text) : withoutMarks(JSON.parse(marked), mark);
}

/** `JSON.stringify` that knows how to write bigints. */
export function writeJson(value: unknown): string {
  return written(value);
}

/** The same with every member on a line of its own. */
export function writeReadableJson(value: unknown): string {
  return written(value, 2);
}

function written(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { text, quoted } = theMark();
    const withMark = (_name: string, member: unknown): unknown =>
      typeof member === "bigint" ? `${text}${member}` : member;
    return JSON.stringify(value, withMark, indent).replace(quoted, "$1");
  }
}

/** Goes through JSON by hand: a pattern would take more of the stack than there is for a text of some megabytes. */
function markLongIntegers(json: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code !== MINUS && !isDigit(code)) at += 1;
    else {
      const end = endOfNumber(json, at);
      const token = end - at < LONG ? "" : json.slice(at, end);
      if (isLongInteger(token)) {
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

/** In place, which is the quickest. */
function withoutMarks(value: unknown, mark: string): unknown {
  if (typeof value === "string")
    return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = withoutMarks(value[at], mark);
  } else if (typeof value === "object" && value !== null) {
    const members = value as Record<string, unknown>;
    for (const key in members) members[key] = withoutMarks(members[key], mark);
  }
  return value;
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
