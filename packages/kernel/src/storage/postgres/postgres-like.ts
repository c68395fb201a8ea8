import type { Dialect } from "../dialect.ts";
import { caseVariantsOf, IS_ASCII } from "../letter-cases.ts";

export const isLike = (text: string, parameter: string): string =>
  `${text} ilike ${parameter} escape '\\'`;

export const contained = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

/**
 * Not as the language of the database would have it: that differs from one to the next, and takes
 * three times as long.
 */
export const postgresContains: Dialect["holding"] = (term, bind) => {
  const characters = Array.from(term);
  const foreign = characters.filter((character) => !IS_ASCII.test(character)).map(caseVariantsOf);
  const folds = new Map(
    foreign.flatMap(([fold = "", ...others]) => others.map((letter) => [letter, fold])),
  );
  const folded = characters.map((character) => folds.get(character) ?? character);
  const pattern = bind(contained(folded.join("")));
  if (folds.size === 0) return (text) => isLike(`(${text}) collate "C"`, pattern);
  const [letters, become] = [folds.keys(), folds.values()].map((all) => bind([...all].join("")));
  return (text) => isLike(`translate((${text}) collate "C", ${letters}, ${become})`, pattern);
};
