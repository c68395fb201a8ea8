/** A text whose letters every engine knows in both cases. */
export const IS_ASCII = /^\p{ASCII}*$/u;

/** A pattern in which every letter stands for itself in both cases: `[gG][rR][üÜ]n`, but for what `escape` writes. */
export function eitherCase(term: string, escape: (character: string) => string): string {
  const characters = Array.from(term, (character) => {
    const forms = [character, character.toLowerCase(), character.toUpperCase()];
    const single = new Set(forms.filter((form) => Array.from(form).length === 1));
    return single.size > 1 ? `[${[...single].join("")}]` : escape(character);
  });
  return characters.join("");
}
