/** A text whose letters every engine knows in both cases. */
export const IS_ASCII = /^\p{ASCII}*$/u;

/** Behind the last letter that has two cases. */
const LETTERS = 0x1_ea_00;

let alike: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * A letter and all that are the same in another case, the one that it is folded to first: `σ`, `Σ`
 * and `ς`.
 */
export function caseVariantsOf(letter: string): readonly string[] {
  alike ??= findAlike();
  return alike.get(foldLetter(letter)) ?? [letter];
}

function findAlike(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let code = 0; code < LETTERS; code += 1) {
    const letter = String.fromCodePoint(code);
    const fold = foldLetter(letter);
    if (fold === letter) continue;
    const family = found.get(fold);
    if (family === undefined) found.set(fold, [fold, letter]);
    else family.push(letter);
  }
  return found;
}

/** By way of the upper case, so that what shares one (σ and ς, μ and µ, s and ſ) is the same. */
export function foldLetter(letter: string): string {
  const upper = letter.toUpperCase();
  const lower = (upper.length === letter.length ? upper : letter).toLowerCase();
  return lower.length === letter.length ? lower : letter;
}
