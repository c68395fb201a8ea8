import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../testing/rounds.ts";
import { BloomBits, bloomBitsOf } from "./bloom-bits.ts";
import { foldingTable, isSure } from "./case-folding.ts";

const UNITS = Array.from({ length: 0x1_00_00 }, (_, unit) => unit);

describe("letters", () => {
  test("a letter that is sure is folded as all that any engine may take for it", () => {
    const folded = foldingTable();
    const byLower = new Map<string, number[]>();
    for (const unit of UNITS) {
      const lower = String.fromCharCode(unit).toLowerCase();
      byLower.set(lower, (byLower.get(lower) ?? []).concat(unit));
    }
    const apart: string[] = [];
    for (const unit of UNITS.filter(isSure)) {
      const letter = String.fromCharCode(unit);
      const others = [letter.toLowerCase(), letter.toUpperCase()].map((form) => form.charCodeAt(0));
      for (const other of [...others, ...(byLower.get(letter.toLowerCase()) ?? [])])
        if (folded[other] !== folded[unit]) apart.push(`${letter} and U+${other.toString(16)}`);
    }
    expect(apart).toEqual([]);
  });

  test.each([
    ["K", "k"],
    ["İ", "i"],
    ["ı", "I"],
    ["Í", "i"],
    ["ς", "Σ"],
    ["µ", "Μ"],
  ])("%s is the same as %s", (one, other) => {
    const folded = foldingTable();
    expect(folded[one.charCodeAt(0)]).toBe(folded[other.charCodeAt(0)]);
  });
});

const marksOf = (...texts: readonly string[]): BloomBits => {
  const marks = new BloomBits();
  for (const text of texts) marks.add(text);
  return marks;
};
const mayHold = (marks: BloomBits, term: string): boolean =>
  bloomBitsOf(term).every((bit) => marks.has(bit));

/** Letters that are special somewhere, and such as make the same sequences again and again. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from('abABkKiIıİíÍ0123-_ "\\\n\u0307ßẞςσΣµéÉжЖ日本😀')),
    fc.integer({ min: 1, max: 0xff_ff }).map((unit) => String.fromCharCode(unit)),
  ),
  maxLength: 80,
});

describe("marks", () => {
  test("whatever stands in a text is found, in either case", () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        (texts, which, from, length) => {
          const marks = marksOf(...texts);
          const whole = texts[which % Math.max(1, texts.length)] ?? "";
          const start = from % Math.max(1, whole.length);
          const term = whole.slice(start, start + 1 + (length % 20));
          expect(mayHold(marks, term)).toBe(true);
          // As each engine folds: one letter by itself, or a text as a whole.
          const forms = Array.from(term).map((letter) => [
            letter.toLowerCase(),
            letter.toUpperCase(),
          ]);
          for (const form of [0, 1]) {
            const other = forms.map((pair, n) =>
              Array.from(pair[form] ?? "").length === 1 ? pair[form] : Array.from(term)[n],
            );
            expect(mayHold(marks, other.join(""))).toBe(true);
          }
        },
      ),
      { numRuns: rounds(400, 2000) },
    );
  });

  test("what a text holds in one case is found by what is lower-cased as a whole", () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(mayHold(marksOf(whole), whole.toLowerCase())).toBe(true);
        expect(mayHold(marksOf(whole.toLowerCase()), whole)).toBe(true);
      }),
      { numRuns: rounds(400, 2000) },
    );
  });

  test("of three letters and more something is known, of fewer and of unsure ones nothing", () => {
    expect(bloomBitsOf("ab")).toEqual([]);
    expect(bloomBitsOf("abc")).toHaveLength(1);
    expect(bloomBitsOf("ßabßcdß")).toEqual([]);
    expect(bloomBitsOf("😀😀😀😀")).toEqual([]);
    expect(bloomBitsOf("ошибка").length).toBeGreaterThan(2);
  });

  test("a word that no text holds is mostly not found", () => {
    const marks = marksOf("Finished in state Completed()", "Task run 'load-1' was lost");
    const words = ["timeout", "refused", "qzx", "Completed in"].filter((word) =>
      mayHold(marks, word),
    );
    expect(words).toEqual([]);
  });

  test("ids of hexadecimal digits are told apart where every three of those occur", () => {
    const id = (n: number): string =>
      (Math.imul(n + 1, 0x9e_37_79_b1) >>> 0).toString(16).padStart(8, "0");
    const marks = marksOf(
      ...Array.from(
        { length: 256 },
        (_, n) => `run ${id(3 * n)}${id(3 * n + 1)}${id(3 * n + 2)} ended`,
      ),
    );
    expect(mayHold(marks, id(3))).toBe(true);
    const found = Array.from({ length: 200 }, (_, n) => id(10_000 + n)).filter((each) =>
      mayHold(marks, each),
    );
    expect(found.length).toBeLessThan(20);
  });
});
