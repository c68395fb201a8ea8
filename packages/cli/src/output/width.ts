import { stripVTControlCharacters } from "node:util";

/**
 * Letters of East Asia and pictures take the room of two on a terminal; what belongs to the letter
 * before it takes none.
 */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const PLAIN = /^[\x20-\x7e]*$/;

const widthOfLetter = (letter: string): number => {
  if (WITHOUT_WIDTH.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
};

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  const shown = stripVTControlCharacters(text);
  if (PLAIN.test(shown)) return shown.length;
  return Array.from(shown).reduce((width, letter) => width + widthOfLetter(letter), 0);
}

/** As much of the beginning of a text, without its colours, as so many columns hold. */
export function beginningOf(text: string, room: number): string {
  let beginning = "";
  let left = room;
  for (const letter of stripVTControlCharacters(text)) {
    left -= widthOfLetter(letter);
    if (left < 0) break;
    beginning += letter;
  }
  return beginning;
}
