// Letters as a search takes them: upper and lower case are one. Engines differ on which letters are
// a pair, so a letter stands here for all that any of them might take for it. Too much taken for
// the same does no harm, too little would.

import { foldLetter } from "../storage/letter-cases.ts";

const LETTERS = 0x1_00_00;

/**
 * Letters with a dot or without one: in Turkish they are pairs in another way, and in Lithuanian
 * the dot comes out beside an accent. They are all the same here, and so is the dot by itself
 * (U+0307), which comes and goes with the case: it is left out.
 */
const DOTTED = "iIıİìÌíÍĩĨįĮ";
const DOT = 0x3_07;

/** What a letter that is left out is folded to. */
export const IGNORED_LETTER = 0;

let table: Uint16Array | undefined;

/** What each UTF-16 unit is folded to. */
export const foldingTable = (): Uint16Array => (table ??= foldAll());

function foldAll(): Uint16Array {
  const folded = Uint16Array.from({ length: LETTERS }, (_, unit) =>
    foldLetter(String.fromCharCode(unit)).charCodeAt(0),
  );
  for (const letter of DOTTED) folded[letter.charCodeAt(0)] = "i".charCodeAt(0);
  folded[DOT] = IGNORED_LETTER;
  return folded;
}

/**
 * Scripts whose pairs every engine knows alike or not at all, and such as have no cases. Without
 * U+0001, where `maintain.ts` parts what it reads.
 */
const SURE: readonly (readonly [first: number, last: number])[] = [
  [0x02, 0x7f],
  [0xa0, 0x1_7f],
  [0x3_86, 0x3_ce],
  [0x4_00, 0x5_2f],
  [0x5_d0, 0x5_ea],
  [0x6_20, 0x6_4a],
  [0x30_41, 0x30_96],
  [0x30_a1, 0x30_fc],
  [0x4e_00, 0x9f_ff],
  [0xac_00, 0xd7_a3],
];

/** Whether all that an engine might take for this letter is folded to the same. */
export function isSure(unit: number): boolean {
  if (!SURE.some(([first, last]) => unit >= first && unit <= last)) return false;
  const letter = String.fromCharCode(unit);
  // One that becomes two in the other case, such as ß, moves all that is behind it.
  return letter.toUpperCase().length === 1 && letter.toLowerCase().length === 1;
}
