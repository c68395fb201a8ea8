import { expect, test } from "vitest";
import { addBoxes, boxMigrations, boxNames } from "../testing/boxes.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { parseTextSearch, textMatcher } from "./text-search.ts";

const nothing = { anyOf: [], allOf: [], noneOf: [] };

test.each([
  ["", nothing],
  ["  \t ", nothing],
  ["error", { ...nothing, anyOf: ["error"] }],
  ["  error   timeout ", { ...nothing, anyOf: ["error", "timeout"] }],
  ["-debug !trace", { ...nothing, noneOf: ["debug", "trace"] }],
  ["+api +v2", { ...nothing, allOf: ["api", "v2"] }],
  ["error +api -debug", { anyOf: ["error"], allOf: ["api"], noneOf: ["debug"] }],
  ['"connection lost"', { ...nothing, anyOf: ["connection lost"] }],
  ['+"a b" -"c d" !"e f"', { anyOf: [], allOf: ["a b"], noneOf: ["c d", "e f"] }],
  ['"say \\"hi\\" now"', { ...nothing, anyOf: ['say "hi" now'] }],
  ['"C:\\temp\\x"', { ...nothing, anyOf: ["C:\\temp\\x"] }],
  ['"never closed', { ...nothing, anyOf: ["never closed"] }],
  ['"ends in \\', { ...nothing, anyOf: ["ends in \\"] }],
  ['"a b"c', { ...nothing, anyOf: ["a b", "c"] }],
  ['say"hi', { ...nothing, anyOf: ["say", "hi"] }],
  ['flow"error in"x', { ...nothing, anyOf: ["flow", "error in", "x"] }],
  ['"\\\\back"', { ...nothing, anyOf: ["\\back"] }],
  ['"  " +" "', nothing],
  ["well-known a+b wow!", { ...nothing, anyOf: ["well-known", "a+b", "wow!"] }],
  ["--force", { ...nothing, noneOf: ["-force"] }],
  ['- + ! "" +"" -', nothing],
])("the search %j is read as %j", (query, expected) => {
  expect(parseTextSearch(query)).toEqual(expected);
});

describeEachDatabase("a text search", (open) => {
  const names = ["Error: disk full", "error in API call", "warning: 100% used", "api call done"];

  const FOUND: readonly (readonly [string, readonly string[]])[] = [
    ["error", ["Error: disk full", "error in API call"]],
    ["disk used", ["Error: disk full", "warning: 100% used"]],
    ["-error", ["api call done", "warning: 100% used"]],
    ["!error !api", ["warning: 100% used"]],
    ["+error +api", ["error in API call"]],
    ["+api -error", ["api call done"]],
    ["done disk +api", ["api call done"]],
    ['"API call"', ["api call done", "error in API call"]],
    ['-"call done" +api', ["error in API call"]],
    ["0%", ["warning: 100% used"]],
    ["%", ["warning: 100% used"]],
    ["_", []],
    ["", names.toSorted()],
  ];

  test("finds the rows whose text holds the terms, in any case and taken literally", async () => {
    await using t = await open([boxMigrations]);
    const boxes = names.map((name) => ({ name }));
    await addBoxes(t.db, boxes);
    for (const [query, expected] of FOUND) {
      expect([query, await boxNames(t.db, { filter: { text: { query } } })]).toEqual([
        query,
        expected,
      ]);
    }
  });

  test("decides of texts at hand as it does of rows, whatever their letters", async () => {
    await using t = await open([boxMigrations]);
    const all = [...names, "Straße", "\u017ftop", "\u0130zmir", "300 \u212a", "ΣΑΣ", "a.b*[c]\\d"];
    await addBoxes(
      t.db,
      all.map((name) => ({ name })),
    );
    const letters = [
      "s",
      "\u017f",
      "\u017fT",
      "i",
      "i\u0307",
      "\u0130",
      "k",
      "\u212a",
      "ς",
      "σα",
      "SSE",
      "ẞe",
    ];
    const signs = [".", "b*", "[c]", "\\", "ä.", "+ß -ſ"];
    for (const query of [...FOUND.map(([each]) => each), ...letters, ...signs]) {
      const matches = textMatcher(parseTextSearch(query));
      expect([query, all.filter((name) => matches(name)).toSorted()]).toEqual([
        query,
        (await boxNames(t.db, { filter: { text: { query } } })).toSorted(),
      ]);
    }
  });
});
