import type { Dialect } from "../dialect.ts";
import { caseVariantsOf, IS_ASCII } from "../letter-cases.ts";

/**
 * Not `like`: it compares character by character anew from every place of the text. `lower` knows
 * the letters of ASCII alone. For others there are patterns, which take longer.
 */
export const sqliteContains: Dialect["holding"] = (term, bind) => {
  if (IS_ASCII.test(term)) {
    const parameter = bind(term.toLowerCase());
    return (text) => `instr(lower(${text}), ${parameter}) > 0`;
  }
  const parameter = bind(`*${Array.from(term, anyCase).join("")}*`);
  return (text) => `${text} glob ${parameter}`;
};

function anyCase(character: string): string {
  const letters = caseVariantsOf(character);
  if (letters.length > 1) return `[${letters.join("")}]`;
  return character.replace(/[*?[]/, "[$&]");
}
