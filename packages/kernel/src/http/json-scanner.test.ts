import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../testing/rounds.ts";
import { findJsonFault } from "./json-scanner.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonFault", () => {
  test("agrees with the built-in parser on what is JSON", () => {
    const fragment = fc.constantFrom(
      ...'{}[]:," \n\\-+.0123456789eE'.split(""),
      '"a"',
      '"b\\n"',
      "\\u00e9",
      "true",
      "false",
      "null",
      "nul",
      "é",
      "\t",
    );
    const broken = fc
      .tuple(fc.json(), fc.nat(), fragment)
      .map(
        ([json, at, piece]) =>
          json.slice(0, at % json.length) + piece + json.slice((at % json.length) + 1),
      );
    const soup = fc.array(fragment, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, soup), (text) => {
        const fault = findJsonFault(text, 1000);
        if (fault?.message.startsWith("Duplicate key") === true) return;
        expect(fault === undefined).toBe(parses(text));
      }),
      { numRuns: rounds(1000, 5000) },
    );
  });

  test("finds every duplicate key and nothing else", () => {
    const key = fc.constantFrom("a", "b", "c", "a:", '"', "\\u0061");
    const object = fc.array(fc.tuple(key, fc.constantFrom("1", '"a:b"', "[]", "{}")), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(object, (members) => {
        const spelled = members.map(([name, value]) => {
          const written = name.startsWith("\\u") ? `"${name}"` : JSON.stringify(name);
          return `${written}:${value}`;
        });
        const text = `{${spelled.join(",")}}`;
        const hasDuplicates = Object.keys(JSON.parse(text)).length < members.length;
        expect(findJsonFault(text, 10) !== undefined).toBe(hasDuplicates);
      }),
    );
  });
});
