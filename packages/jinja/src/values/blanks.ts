// What Python takes for a blank, which is not quite what JavaScript does.

const BLANKS: ReadonlySet<string> = new Set(
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
);

export const isBlank = (sign: string): boolean => BLANKS.has(sign);

/** The words of a text, at most so many cuts from one end. */
export function splitBlanks(text: string, cuts = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = [];
  let at = 0;
  const skip = (): void => {
    while (at < text.length && isBlank(text.charAt(at))) at += 1;
  };
  for (skip(); at < text.length; skip()) {
    if (words.length >= cuts) {
      words.push(stripSigns(text.slice(at), isBlank, { start: false, end: true }));
      return words;
    }
    const start = at;
    while (at < text.length && !isBlank(text.charAt(at))) at += 1;
    words.push(text.slice(start, at));
  }
  return words;
}

export interface Sides {
  readonly start: boolean;
  readonly end: boolean;
}

/** Without the signs at its sides. */
export function stripSigns(text: string, goes: (sign: string) => boolean, sides: Sides): string {
  let [start, end] = [0, text.length];
  if (sides.start) while (start < end && goes(text.charAt(start))) start += 1;
  if (sides.end) while (end > start && goes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
