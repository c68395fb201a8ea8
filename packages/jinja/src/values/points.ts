// Python counts the characters of a text; JavaScript counts two for those beyond the first 65,536.

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

export const hasPairs = (text: string): boolean => PAIR.test(text);

export const pointsOf = (text: string): readonly string[] =>
  hasPairs(text) ? Array.from(text) : text.split("");

export const lengthOf = (text: string): number =>
  hasPairs(text) ? Array.from(text).length : text.length;

/** From one character to another, both counted from the start. */
export const slicePoints = (text: string, start: number, end?: number): string =>
  hasPairs(text) ? Array.from(text).slice(start, end).join("") : text.slice(start, end);

/** Where a text is found, counted in characters, from where it is found in the text. */
export const pointIndex = (text: string, unitIndex: number): number =>
  unitIndex <= 0 || !hasPairs(text) ? unitIndex : lengthOf(text.slice(0, unitIndex));
