/**
 * What a glance over the bytes of a JSON text tells. Of bytes that are not JSON it means nothing.
 */
export interface JsonShape {
  /** Every key that is written, duplicates included. */
  keys: number;
  isTooDeep: boolean;
  /** A character is written as `\u…`, the only way to write one that is not text. */
  hasUnicodeEscape: boolean;
  /** A number is written with an exponent, or with nothing but zeros behind its point. */
  hasFloat: boolean;
  /** A key looks like an array index, such as `"1"`. */
  hasIndexKey: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LETTER_U = 0x75;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SMALL_E = 0x65;
const LARGE_E = 0x45;

/**
 * Reads bytes, not characters: the signs of JSON are single bytes in UTF-8, and bytes are three
 * times as fast.
 */
export function readJsonShape(bytes: Uint8Array, maxDepth: number): JsonShape {
  const shape: JsonShape = {
    keys: 0,
    isTooDeep: false,
    hasUnicodeEscape: false,
    hasFloat: false,
    hasIndexKey: false,
  };
  const end = bytes.length;
  let depth = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      for (; at < end && bytes[at] !== QUOTE; at += 1) {
        if (bytes[at] !== BACKSLASH) continue;
        at += 1;
        if (bytes[at] === LETTER_U) shape.hasUnicodeEscape = true;
      }
    } else if (byte === COLON) {
      shape.keys += 1;
      if (isIndexKey(bytes, at)) shape.hasIndexKey = true;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > maxDepth) {
        shape.isTooDeep = true;
        return shape;
      }
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
    } else if (byte === POINT) {
      while (bytes[at + 1] === ZERO) at += 1;
      if (!isDigit(bytes[at + 1])) shape.hasFloat = true;
    } else if ((byte === SMALL_E || byte === LARGE_E) && isDigit(bytes[at - 1])) {
      shape.hasFloat = true;
    }
  }
  return shape;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

/**
 * Whether the key before a colon is digits alone. One with a blank before its colon is looked at
 * closely, as nobody writes that.
 */
function isIndexKey(bytes: Uint8Array, colon: number): boolean {
  let at = colon - 2;
  if (bytes[colon - 1] !== QUOTE) return true;
  while (isDigit(bytes[at])) at -= 1;
  return bytes[at] === QUOTE && at < colon - 2;
}
