// An exact JSON scanner for the rare texts that need one: it names the place of a syntax error and
// the key that is given twice, neither of which the built-in parser tells.

export interface JsonFault {
  readonly position: number;
  readonly message: string;
}

type Frame = Set<string> | null;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERALS = ["true", "false", "null"] as const;

/**
 * The first fault of the text, or undefined when it is JSON without duplicate keys within the
 * depth.
 */
export function findJsonFault(text: string, maxDepth: number): JsonFault | undefined {
  try {
    scan(text, maxDepth);
    return undefined;
  } catch (error) {
    if (error instanceof ScanStop) return error.fault;
    throw error;
  }
}

class ScanStop extends Error {
  readonly fault: JsonFault;

  constructor(position: number, message: string) {
    super(message);
    this.fault = { position, message };
  }
}

function scan(text: string, maxDepth: number): void {
  const frames: Frame[] = [];
  let at = skipBlank(text, 0);
  for (;;) {
    const opened = text[at];
    if (opened === "[" || opened === "{") {
      if (frames.length >= maxDepth) throw new ScanStop(at, depthMessage(maxDepth));
      const frame: Frame = opened === "{" ? new Set() : null;
      at = skipBlank(text, at + 1);
      if (text[at] !== closer(frame)) {
        frames.push(frame);
        if (frame !== null) at = scanKey(text, at, frame);
        continue;
      }
      at += 1;
    } else {
      at = scanScalar(text, at);
    }
    at = skipBlank(text, at);
    while (frames.length > 0 && text[at] === closer(frames.at(-1) ?? null)) {
      frames.pop();
      at = skipBlank(text, at + 1);
    }
    const frame = frames.at(-1);
    if (frame === undefined) {
      if (at < text.length) throw new ScanStop(at, "Extra data");
      return;
    }
    if (text[at] !== ",") throw new ScanStop(at, "Expecting ',' delimiter");
    at = skipBlank(text, at + 1);
    if (frame !== null) at = scanKey(text, at, frame);
  }
}

export function depthMessage(maxDepth: number): string {
  return `Nested deeper than ${maxDepth} levels`;
}

function closer(frame: Frame): string {
  return frame === null ? "]" : "}";
}

function scanKey(text: string, start: number, seen: Set<string>): number {
  if (text.charCodeAt(start) !== QUOTE) {
    throw new ScanStop(start, "Expecting property name enclosed in double quotes");
  }
  const end = scanString(text, start);
  const key = JSON.parse(text.slice(start, end)) as string;
  if (seen.has(key)) throw new ScanStop(start, `Duplicate key ${JSON.stringify(shorten(key))}`);
  seen.add(key);
  const colon = skipBlank(text, end);
  if (text[colon] !== ":") throw new ScanStop(colon, "Expecting ':' delimiter");
  return skipBlank(text, colon + 1);
}

function shorten(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key;
}

function scanScalar(text: string, at: number): number {
  if (text.charCodeAt(at) === QUOTE) return scanString(text, at);
  for (const literal of LITERALS) {
    if (text.startsWith(literal, at)) return at + literal.length;
  }
  NUMBER.lastIndex = at;
  if (NUMBER.test(text)) return NUMBER.lastIndex;
  throw new ScanStop(at, "Expecting value");
}

/** The position behind the closing quote. */
function scanString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) throw new ScanStop(at, "Invalid \\escape");
      at = ESCAPE.lastIndex - 1;
    } else if (code < 0x20) {
      throw new ScanStop(at, "Invalid control character");
    }
  }
  throw new ScanStop(start, "Unterminated string");
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}
