// Which sequences of letters occur in the texts of a block, as bits: whatever was added is found
// again, and what was not is mostly not found. Sequences of three find any term of three letters
// and more. But ids are full of the same sixteen digits, and a few hundred of them hold every
// three: those are told apart by sequences of five.

import { foldingTable, IGNORED_LETTER, isSure } from "./case-folding.ts";

/**
 * How many bits there are for sequences of three, two to the 13th, and behind them for those of
 * five.
 */
const THREES = 8192;
const FIVES = 23_040;
/** With its row it fits into a page of SQLite, and twice into one of PostgreSQL. */
const MARKS_BYTES = (THREES + FIVES) / 8;

// Whole numbers of 32 bits with a sign: as others, they would be converted for each letter.
const STEP = 0x9e_37_79_b1 | 0;
const SPREAD = 0x85_eb_ca_6b | 0;

const bitOfThree = (hash: number): number => Math.imul(hash, SPREAD) >>> (32 - 13);
const bitOfFive = (hash: number): number =>
  THREES + (((Math.imul(hash, SPREAD) >>> 16) * FIVES) >>> 16);

/** Calls back with the bit of every sequence of letters that are folded already. */
function eachBit(letters: Iterable<number>, onThree: OnBit, onFive: OnBit): void {
  // The letters before, and what the sequences of three were that ended one and two letters ago.
  let [before, last, threeBefore, threeLast, count] = [0, 0, 0, 0, 0];
  for (const letter of letters) {
    count += 1;
    const three = (Math.imul((Math.imul(before, STEP) + last) | 0, STEP) + letter) | 0;
    const five = (Math.imul((Math.imul(threeBefore, STEP) + last) | 0, STEP) + letter) | 0;
    if (count >= 3) onThree(bitOfThree(three));
    if (count >= 5) onFive(bitOfFive(five));
    [before, last, threeBefore, threeLast] = [last, letter, threeLast, three];
  }
}

type OnBit = (bit: number) => void;

export class BloomBits {
  readonly bytes = new Uint8Array(MARKS_BYTES);

  /**
   * Marks a text, or a part of it. The same as `eachBit` over its letters, written out: it is done
   * for every letter that is ever stored. What stands before the first letter counts as a letter of
   * its own, which sets a few bits too many.
   */
  add(text: string, from = 0, to = text.length): void {
    const { bytes } = this;
    const folded = foldingTable();
    let before = 0;
    let last = 0;
    let threeBefore = 0;
    let threeLast = 0;
    for (let at = from; at < to; at += 1) {
      const letter = folded[text.charCodeAt(at)] as number;
      if (letter === IGNORED_LETTER) continue;
      const three = (Math.imul((Math.imul(before, STEP) + last) | 0, STEP) + letter) | 0;
      const five = (Math.imul((Math.imul(threeBefore, STEP) + last) | 0, STEP) + letter) | 0;
      let bit = bitOfThree(three);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
      bit = bitOfFive(five);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
      before = last;
      last = letter;
      threeBefore = threeLast;
      threeLast = three;
    }
  }

  /** Whatever is looked for may be here. */
  addEverything(): void {
    this.bytes.fill(0xff);
  }

  has(bit: number): boolean {
    return ((this.bytes[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
  }
}

/** More say hardly more. */
const MOST_BITS = 8;
const MOST_FIVES = 6;

/** The bits of a text that holds a term; none where nothing is known of one. */
export function bloomBitsOf(term: string): number[] {
  const threes = new Set<number>();
  const fives = new Set<number>();
  for (const letters of sureLetters(term))
    eachBit(
      letters,
      (bit) => threes.add(bit),
      (bit) => fives.add(bit),
    );
  const chosen = spread([...fives], MOST_FIVES);
  return [...chosen, ...spread([...threes], MOST_BITS - chosen.length)];
}

/** What stands between letters that an engine may fold in its own way, folded. */
function sureLetters(term: string): number[][] {
  const folded = foldingTable();
  const runs: number[][] = [[]];
  for (let at = 0; at < term.length; at += 1) {
    const unit = term.charCodeAt(at);
    if (isSure(unit)) runs.at(-1)?.push(folded[unit] as number);
    else runs.push([]);
  }
  return runs;
}

/** So many of a list, from its beginning to its end. */
function spread(list: readonly number[], most: number): number[] {
  if (list.length <= most) return [...list];
  return Array.from(
    { length: most },
    (_, n) => list[Math.floor((n * list.length) / most)] as number,
  );
}
