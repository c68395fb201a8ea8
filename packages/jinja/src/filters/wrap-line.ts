// Lines broken between words, as Python's `textwrap` breaks them.

export interface WrapShape {
  readonly width: number;
  readonly breaksWords: boolean;
  readonly breaksAtHyphens: boolean;
}

const BLANKS = /[\t\n\v\f\r ]+/y;
/** Where a word of letters may be broken behind a hyphen: `well-known`, but not `a-b` nor `-x`. */
const HYPHEN = /(?<=[\p{L}_]{2}-|[\p{L}_]-[\p{L}_]-)(?=[\p{L}_]-?[\p{L}_])/uy;
/** A dash of several hyphens between words stands by itself. */
const DASH = /(?<=[\p{L}\p{N}_!"'&.,?])-{2,}(?=[\p{L}\p{N}_])/uy;

/** Words, blanks and dashes in order. */
function chunksOf(line: string, breaksAtHyphens: boolean): string[] {
  const chunks: string[] = [];
  let word = 0;
  const close = (at: number): void => {
    if (at > word) chunks.push(line.slice(word, at));
  };
  const match = (pattern: RegExp, at: number): number => {
    pattern.lastIndex = at;
    return pattern.exec(line)?.[0].length ?? -1;
  };
  for (let at = 0; at < line.length; ) {
    const blanks = match(BLANKS, at);
    const apart = blanks > 0 ? blanks : breaksAtHyphens ? match(DASH, at) : -1;
    if (apart > 0) {
      close(at);
      chunks.push(line.slice(at, at + apart));
      at += apart;
      word = at;
      continue;
    }
    if (breaksAtHyphens && at > word && match(HYPHEN, at) === 0) {
      close(at);
      word = at;
    }
    at += 1;
  }
  close(line.length);
  return chunks;
}

const isBlank = (chunk: string): boolean => chunk.trim() === "";

export function wrapLine(
  line: string,
  { width, breaksWords, breaksAtHyphens }: WrapShape,
): string[] {
  const rest = chunksOf(line, breaksAtHyphens).toReversed();
  const lines: string[] = [];
  while (rest.length > 0) {
    // A line does not begin with blanks, but for the first.
    if (lines.length > 0 && isBlank(rest.at(-1) ?? "")) rest.pop();
    const current: string[] = [];
    let length = 0;
    for (
      let next = rest.at(-1);
      next !== undefined && length + next.length <= width;
      next = rest.at(-1)
    ) {
      current.push(next);
      length += next.length;
      rest.pop();
    }
    const long = rest.at(-1);
    if (long !== undefined && long.length > width) {
      if (breaksWords) {
        const end = breakAt(long, Math.max(1, width - length), breaksAtHyphens);
        current.push(long.slice(0, end));
        rest[rest.length - 1] = long.slice(end);
      } else if (current.length === 0) {
        current.push(long);
        rest.pop();
      }
    }
    if (isBlank(current.at(-1) ?? "")) current.pop();
    if (current.length > 0) lines.push(current.join(""));
  }
  return lines;
}

/** Behind the last hyphen that fits, where there is one. */
function breakAt(word: string, room: number, breaksAtHyphens: boolean): number {
  if (!breaksAtHyphens || word.length <= room) return room;
  const hyphen = word.lastIndexOf("-", room - 1);
  const isInside = hyphen > 0 && /[^-]/.test(word.slice(0, hyphen));
  return isInside ? hyphen + 1 : room;
}
