import { expect, test } from "vitest";
import { addBoxes, type BoxFixture, boxMigrations, boxNames, testId } from "../testing/boxes.ts";
import { describeEachDatabase, type OpenTestDatabase } from "../testing/test-database.ts";
import type { Filter } from "./definition.ts";

async function withBoxes(open: OpenTestDatabase, boxes: readonly BoxFixture[]) {
  const t = await open([boxMigrations]);
  await addBoxes(t.db, boxes);
  return {
    /** The names of the boxes that match. */
    find: (filter: Filter) => boxNames(t.db, { filter }),
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

const named = (...names: string[]): BoxFixture[] => names.map((name) => ({ name }));

describeEachDatabase("a filter", (open) => {
  test("any_ matches values of the list, of every kind, and nothing when it is empty", async () => {
    await using t = await withBoxes(open, [
      { name: "a", size: 1, weight: 0.5, is_open: true, note: "red" },
      { name: "b", size: 2, weight: 1.5, is_open: false, note: "blue" },
      { name: "c" },
    ]);
    expect(await t.find({ id: { any_: [testId(1), testId(3), testId(9)] } })).toEqual(["a", "c"]);
    expect(await t.find({ name: { any_: ["b", "B", "zz"] } })).toEqual(["b"]);
    expect(await t.find({ size: { any_: [2, 3] } })).toEqual(["b"]);
    expect(await t.find({ weight: { any_: [0.5] } })).toEqual(["a"]);
    expect(await t.find({ is_open: { any_: [true] } })).toEqual(["a"]);
    expect(await t.find({ is_open: { any_: [false, true] } })).toEqual(["a", "b", "c"]);
    expect(await t.find({ note: { any_: ["red", "blue"] } })).toEqual(["a", "b"]);
    for (const name of ["id", "name", "size", "is_open", "labels"]) {
      expect(await t.find({ [name]: { any_: [] } })).toEqual([]);
    }
  });

  test("not_any_ matches all other values, but not a missing one, and everything when it is empty", async () => {
    await using t = await withBoxes(open, [
      { name: "a", size: 1, note: "red" },
      { name: "b", size: 2, note: "blue" },
      { name: "c" },
    ]);
    expect(await t.find({ id: { not_any_: [testId(1)] } })).toEqual(["b", "c"]);
    expect(await t.find({ name: { not_any_: ["a", "b"] } })).toEqual(["c"]);
    expect(await t.find({ note: { not_any_: ["red"] } })).toEqual(["b"]);
    expect(await t.find({ size: { not_any_: [1] } })).toEqual(["b"]);
    expect(await t.find({ name: { not_any_: [] } })).toEqual(["a", "b", "c"]);
    expect(await t.find({ note: { not_any_: [] } })).toEqual(["a", "b", "c"]);
  });

  test("like_ finds a part of the text in any case", async () => {
    await using t = await withBoxes(open, named("Nightly Report", "daily report", "cleanup"));
    expect(await t.find({ name: { like_: "REPORT" } })).toEqual(["Nightly Report", "daily report"]);
    expect(await t.find({ name: { like_: "nightly" } })).toEqual(["Nightly Report"]);
    expect(await t.find({ name: { like_: "lean" } })).toEqual(["cleanup"]);
    expect(await t.find({ name: { like_: "" } })).toHaveLength(3);
    expect(await t.find({ note: { like_: "" } })).toHaveLength(3);
  });

  test("like_ takes percent, underscore and backslash for themselves", async () => {
    await using t = await withBoxes(
      open,
      named("100%", "1000", "a_b", "axb", "c\\d", "c\\%d", "cd"),
    );
    expect(await t.find({ name: { like_: "0%" } })).toEqual(["100%"]);
    expect(await t.find({ name: { like_: "a_b" } })).toEqual(["a_b"]);
    expect(await t.find({ name: { like_: "\\" } })).toEqual(["c\\%d", "c\\d"]);
    expect(await t.find({ name: { like_: "\\%" } })).toEqual(["c\\%d"]);
    expect(await t.find({ name: { like_: "%" } })).toEqual(["100%", "c\\%d"]);
    expect(await t.find({ name: { like_: "_" } })).toEqual(["a_b"]);
  });

  test("like_ with wildcards takes percent for any characters and underscore for any one", async () => {
    await using t = await withBoxes(
      open,
      named("wild-abc66", "wild66x", "axb", "a_b", "ab", "c\\%d", "c\\d", "École"),
    );
    expect(await t.find({ pattern: { like_: "WILD%66" } })).toEqual(["wild-abc66", "wild66x"]);
    expect(await t.find({ pattern: { like_: "wild%abc%66%x" } })).toEqual([]);
    expect(await t.find({ pattern: { like_: "a_b" } })).toEqual(["a_b", "axb"]);
    expect(await t.find({ pattern: { like_: "_COLE" } })).toEqual(["École"]);
    expect(await t.find({ pattern: { like_: "éc_le" } })).toEqual([]);
    expect(await t.find({ pattern: { like_: "c\\%d" } })).toEqual(["c\\%d", "c\\d"]);
    expect(await t.find({ pattern: { like_: "ld6" } })).toEqual(["wild66x"]);
    expect(await t.find({ pattern: { like_: "%" } })).toHaveLength(8);
    for (const times of [500, 30_000])
      expect(await t.find({ pattern: { like_: "%a".repeat(times) } })).toEqual([]);
  });

  test("like_ finds letters of every script in any case", async () => {
    await using t = await withBoxes(
      open,
      named("École", "école", "straße", "日本語 BOX", "K", "Отчёт за май", "ΟΔΟΣ", "οδος [x]"),
    );
    expect(await t.find({ name: { like_: "ÉCOLE" } })).toEqual(["École", "école"]);
    expect(await t.find({ name: { like_: "éco" } })).toEqual(["École", "école"]);
    expect(await t.find({ name: { like_: "ОТЧЁТ ЗА" } })).toEqual(["Отчёт за май"]);
    expect(await t.find({ name: { like_: "οδοσ" } })).toEqual(["ΟΔΟΣ", "οδος [x]"]);
    expect(await t.find({ name: { like_: "ΟΔΟΣ [X]" } })).toEqual(["οδος [x]"]);
    expect(await t.find({ name: { like_: "straẞe" } })).toEqual(["straße"]);
    expect(await t.find({ name: { like_: "STRASSE" } })).toEqual([]);
    expect(await t.find({ name: { like_: "本語 box" } })).toEqual(["日本語 BOX"]);
    // The Kelvin sign looks like a K, and is one in another case.
    expect(await t.find({ name: { like_: "\u212A" } })).toEqual(["K"]);
    expect(await t.find({ name: { like_: "é".repeat(4000) } })).toEqual([]);
    expect(await t.find({ name: { like_: "θ".repeat(30_000) } })).toEqual([]);
  });

  test("startswith_ folds the case of ASCII letters and of no others", async () => {
    await using t = await withBoxes(open, named("École", "école", "日本語 BOX"));
    expect(await t.find({ name: { startswith_: ["École"] } })).toEqual(["École"]);
    expect(await t.find({ name: { startswith_: ["éCOLE"] } })).toEqual(["école"]);
    expect(await t.find({ name: { startswith_: ["日本"] } })).toEqual(["日本語 BOX"]);
  });

  test("startswith_ finds texts that begin with one of several, in any case, and takes them literally", async () => {
    await using t = await withBoxes(open, named("prod-1", "Prod-2", "test-1", "pro", "%x", "axx"));
    expect(await t.find({ name: { startswith_: ["PROD-"] } })).toEqual(["Prod-2", "prod-1"]);
    expect(await t.find({ name: { startswith_: ["test", "pro"] } })).toHaveLength(4);
    expect(await t.find({ name: { startswith_: ["%"] } })).toEqual(["%x"]);
    expect(await t.find({ name: { startswith_: ["rod"] } })).toEqual([]);
    expect(await t.find({ name: { startswith_: [] } })).toHaveLength(6);
    expect(await t.find({ name: { startswith_: [""] } })).toHaveLength(6);
  });

  test("all_ and any_ of tags match whole tags and mind their case", async () => {
    await using t = await withBoxes(open, [
      { name: "both", labels: ["red", "big"] },
      { name: "one", labels: ["red"] },
      { name: "other", labels: ["Red", "reddish", 'a"b', "é", "a,b"] },
      { name: "none", labels: [] },
    ]);
    expect(await t.find({ labels: { all_: ["red"] } })).toEqual(["both", "one"]);
    expect(await t.find({ labels: { all_: ["big", "red"] } })).toEqual(["both"]);
    expect(await t.find({ labels: { all_: ["red", "red"] } })).toEqual(["both", "one"]);
    expect(await t.find({ labels: { all_: [] } })).toHaveLength(4);
    const either = { all_: [], any_: ["big"], operator: "or_" };
    expect(await t.find({ labels: either })).toEqual(["both"]);
    expect(await t.find({ labels: { any_: ["big", "Red"] } })).toEqual(["both", "other"]);
    expect(await t.find({ labels: { any_: ['a"b'] } })).toEqual(["other"]);
    expect(await t.find({ labels: { all_: ["é", "a,b"] } })).toEqual(["other"]);
    expect(await t.find({ labels: { any_: ["a"] } })).toEqual([]);
  });

  test("is_null_ and exists_ of tags ask whether there are any", async () => {
    await using t = await withBoxes(open, [{ name: "some", labels: ["red"] }, { name: "none" }]);
    expect(await t.find({ labels: { is_null_: true } })).toEqual(["none"]);
    expect(await t.find({ labels: { is_null_: false } })).toEqual(["some"]);
    expect(await t.find({ labels: { exists_: true } })).toEqual(["some"]);
    expect(await t.find({ labels: { exists_: false } })).toEqual(["none"]);
  });

  test("is_null_ and exists_ of other attributes ask whether there is a value", async () => {
    await using t = await withBoxes(open, [
      { name: "full", note: "", content: "null", is_open: false },
      { name: "bare", is_open: null },
    ]);
    expect(await t.find({ note: { is_null_: true } })).toEqual(["bare"]);
    expect(await t.find({ note: { is_null_: false } })).toEqual(["full"]);
    expect(await t.find({ note: { exists_: true } })).toEqual(["full"]);
    expect(await t.find({ note: { exists_: false } })).toEqual(["bare"]);
    expect(await t.find({ content: { is_null_: true } })).toEqual(["bare"]);
    expect(await t.find({ is_open: { is_null_: true } })).toEqual(["bare"]);
  });

  test("before_ and after_ include the moment itself, to the microsecond", async () => {
    const at = (micros: string): BoxFixture => ({
      name: micros,
      packed: `2026-03-01T12:00:00.${micros}Z`,
    });
    await using t = await withBoxes(open, [at("000000"), at("000001"), at("000002")]);
    const moment = "2026-03-01T12:00:00.000001Z";
    expect(await t.find({ packed: { before_: moment } })).toEqual(["000000", "000001"]);
    expect(await t.find({ packed: { after_: moment } })).toEqual(["000001", "000002"]);
    expect(await t.find({ packed: { after_: moment, before_: moment } })).toEqual(["000001"]);
    expect(await t.find({ packed: { eq_: moment } })).toEqual(["000001"]);
    expect(await t.find({ packed: { before_: "1999-12-31T00:00:00.000000Z" } })).toEqual([]);
  });

  test("eq_, ge_ and le_ compare numbers as numbers and flags as flags", async () => {
    await using t = await withBoxes(open, [
      { name: "a", size: 9, weight: 0.25, is_open: true },
      { name: "b", size: 10, weight: 2.5, is_open: false },
      { name: "c", size: 2 ** 40, is_open: null },
      { name: "d", size: -1 },
    ]);
    expect(await t.find({ size: { eq_: 10 } })).toEqual(["b"]);
    expect(await t.find({ size: { ge_: 10 } })).toEqual(["b", "c"]);
    expect(await t.find({ size: { le_: 9 } })).toEqual(["a", "d"]);
    expect(await t.find({ size: { ge_: 9, le_: 10 } })).toEqual(["a", "b"]);
    expect(await t.find({ weight: { ge_: 1 } })).toEqual(["b"]);
    expect(await t.find({ weight: { le_: 0.25 } })).toEqual(["a"]);
    expect(await t.find({ is_open: { eq_: true } })).toEqual(["a"]);
    expect(await t.find({ is_open: { eq_: false } })).toEqual(["b", "d"]);
    expect(await t.find({ name: { eq_: "A" } })).toEqual([]);
  });

  test("takes whatever a value holds for the text that it is", async () => {
    const names = [
      "'; drop table boxes; --",
      "' or '1'='1",
      '"quoted"',
      "$1 ?1 :name @name",
      "line\nbreak\ttab",
      "😀 𝒳 \u2028 \u00A0",
      "{1,2}",
      "NULL",
    ];
    await using t = await withBoxes(open, named(...names));
    for (const name of names) {
      expect(await t.find({ name: { any_: [name] } })).toEqual([name]);
      expect(await t.find({ name: { like_: name } })).toEqual([name]);
      expect(await t.find({ name: { startswith_: [name] } })).toEqual([name]);
      expect(await t.find({ name: { not_any_: [name] } })).toHaveLength(names.length - 1);
      expect(await t.find({ labels: { any_: [name] } })).toEqual([]);
    }
  });
});
