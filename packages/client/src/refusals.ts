// The door to the words for refusals alone: the server says which pattern a text has to match,
// people are told what it may hold.

const WORDS: ReadonlyMap<string, string> = new Map([
  ["^[^/%&><]+$", "any text without / % & > <"],
  ["^[^/%&><]*$", "any text without / % & > <"],
  ["^(?![\\s\"']*$)[^/%&><]+$", "any text without / % & > <"],
  ["^[a-z0-9-]*$", "small letters a to z, digits and -"],
  ["^[a-z0-9_-]*$", "small letters a to z, digits, _ and -"],
  ["^[A-Za-z0-9_-]*$", "letters a to z, digits, _ and -"],
  ["^[a-z0-9]+(-[a-z0-9]+)*$", "small letters a to z, digits, and - between them"],
  ["^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", "small letters a to z, digits, and - between them"],
]);

const MISMATCH = /String should match pattern '(?<pattern>[^;\n]+)'/g;

/**
 * With words in the place of the patterns that names have to match, and without what only clients
 * in Python want to know.
 */
export const explainPatterns = (text: string): string =>
  text
    .replaceAll(MISMATCH, (told: string, pattern: string) => {
      const words = WORDS.get(pattern);
      return words === undefined ? told : `It must be ${words}`;
    })
    .replaceAll("String should have at least 1 character", "It must not be empty")
    .replaceAll("Value error, ", "");
