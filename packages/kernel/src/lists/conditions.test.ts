import { expect, test } from "vitest";
import {
  addBoxes,
  addShelves,
  BOX_RELATIONS,
  type BoxFixture,
  boxMigrations,
  boxNames,
  SHELF_LIST,
  SHELF_RELATIONS,
  testId,
} from "../testing/boxes.ts";
import { describeEachDatabase, type OpenTestDatabase } from "../testing/test-database.ts";
import { W1, W2 } from "../testing/things.ts";
import type { Filter } from "./definition.ts";
import { countRows, listJson } from "./read-list.ts";

async function withBoxes(open: OpenTestDatabase, boxes: readonly BoxFixture[]) {
  const t = await open([boxMigrations]);
  await addBoxes(t.db, boxes);
  return {
    db: t.db,
    find: (filter: Filter | null) => boxNames(t.db, { filter }),
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

const BOXES: readonly BoxFixture[] = [
  { name: "a", size: 1, note: "red", opened: "2026-01-05T00:00:00.000000Z" },
  { name: "b", size: 2, note: "red" },
  { name: "c", size: 1 },
];

describeEachDatabase("conditions", (open) => {
  test("restrict nothing when there are none", async () => {
    await using t = await withBoxes(open, BOXES);
    const nothing: (Filter | null)[] = [
      null,
      {},
      { operator: "or_" },
      { name: null },
      { name: {} },
      { name: { any_: null } },
      { state: { operator: "or_", size: {} } },
      { operator: "or_", name: { any_: ["a"] }, size: {} },
      { operator: "or_", name: { any_: ["a"] }, state: { size: {} } },
      { unknown: { any_: ["a"] } },
      { name: { unknown_: "a" } },
    ];
    for (const filter of nothing) expect(await t.find(filter)).toEqual(["a", "b", "c"]);
  });

  test("on several attributes must all hold, or one of them with or_", async () => {
    await using t = await withBoxes(open, BOXES);
    const both = { size: { any_: [1] }, note: { any_: ["red"] } };
    expect(await t.find(both)).toEqual(["a"]);
    expect(await t.find({ ...both, operator: "and_" })).toEqual(["a"]);
    expect(await t.find({ ...both, operator: "or_" })).toEqual(["a", "b", "c"]);
    expect(await t.find({ ...both, name: { any_: ["b"] }, operator: "and_" })).toEqual([]);
  });

  test("on one attribute must all hold, or one of them with or_", async () => {
    await using t = await withBoxes(open, BOXES);
    const contrary = { any_: ["red"], is_null_: true };
    expect(await t.find({ note: contrary })).toEqual([]);
    expect(await t.find({ note: { ...contrary, operator: "or_" } })).toEqual(["a", "b", "c"]);
    expect(await t.find({ note: { ...contrary, operator: "or_" }, size: { any_: [2] } })).toEqual([
      "b",
    ]);
  });

  test("in a group are joined by the group's own operator", async () => {
    await using t = await withBoxes(open, BOXES);
    const state = { opened: { is_null_: true }, size: { any_: [1] } };
    expect(await t.find({ state })).toEqual(["c"]);
    expect(await t.find({ state: { ...state, operator: "or_" } })).toEqual(["a", "b", "c"]);
    const named = { name: { any_: ["a"] } };
    expect(await t.find({ state, ...named })).toEqual([]);
    expect(await t.find({ state, ...named, operator: "or_" })).toEqual(["a", "c"]);
    expect(await t.find({ state: { ...state, operator: "or_" }, ...named })).toEqual(["a"]);
  });

  test("may ask for an expression over the row", async () => {
    await using t = await withBoxes(open, BOXES);
    expect(await t.find({ seen: { after_: "2026-01-02T00:00:00.000000Z" } })).toEqual(["a"]);
    expect(await t.find({ seen: { before_: "2026-01-02T00:00:00.000000Z" } })).toEqual(["b", "c"]);
  });

  test("may have a meaning for an attribute that is named without one", async () => {
    await using t = await withBoxes(open, BOXES);
    expect(await t.find({ noted: {} })).toEqual(["a", "b"]);
    expect(await t.find({ noted: { operator: "or_" } })).toEqual(["a", "b"]);
    expect(await t.find({ noted: { is_null_: true } })).toEqual(["c"]);
    expect(await t.find({ noted: { any_: ["red"], is_null_: null } })).toEqual(["a", "b"]);
    expect(await t.find({ noted: { any_: ["blue"], operator: "or_" } })).toEqual([]);
    expect(await t.find({ noted: null })).toEqual(["a", "b", "c"]);
  });

  test("never reach the rows of another workspace", async () => {
    await using t = await withBoxes(open, BOXES);
    await addBoxes(t.db, [{ id: testId(50), name: "theirs", size: 1 }], W2);
    const widest = { operator: "or_", size: { any_: [1] }, name: { like_: "" } };
    expect(await t.find(widest)).toEqual(["a", "b", "c"]);
    expect(await countRows(t.db.in(W2), SHELF_LIST, {})).toBe(0);
  });
});

const [TOP, BOTTOM, THEIRS] = [testId(101), testId(102), testId(103)] as const;

async function withShelves(open: OpenTestDatabase) {
  const t = await open([boxMigrations]);
  await addShelves(t.db, [
    { id: TOP, name: "top", labels: ["high"] },
    { id: BOTTOM, name: "bottom" },
  ]);
  await addShelves(t.db, [{ id: THEIRS, name: "top" }], W2);
  await addBoxes(t.db, [
    { name: "a", size: 1, shelf_id: TOP },
    { name: "b", size: 2, shelf_id: TOP },
    { name: "c", size: 1, shelf_id: BOTTOM },
    { name: "loose", size: 1 },
    { name: "astray", size: 9, shelf_id: THEIRS },
  ]);
  return {
    boxes: (related: Filter, filter: Filter = {}) =>
      boxNames(t.db, { filter, related, relations: BOX_RELATIONS }),
    async shelves(related: Filter): Promise<string[]> {
      const json = await listJson<{ name: string }>(t.db.in(W1), SHELF_LIST, {
        related,
        relations: SHELF_RELATIONS,
        limit: 100,
        offset: 0,
      });
      return (JSON.parse(json) as { name: string }[]).map(({ name }) => name);
    },
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

describeEachDatabase("conditions on related resources", (open) => {
  test("are met by rows with at least one related row that meets them", async () => {
    await using t = await withShelves(open);
    expect(await t.boxes({ shelves: { name: { any_: ["top"] } } })).toEqual(["a", "b"]);
    expect(await t.boxes({ shelves: { labels: { is_null_: true } } })).toEqual(["c"]);
    expect(await t.boxes({ shelves: { capital: { eq_: "BOTTOM" } } })).toEqual(["c"]);
    expect(await t.boxes({ shelves: { id: { any_: [] } } })).toEqual([]);
    expect(await t.shelves({ boxes: { size: { any_: [1] } } })).toEqual(["bottom", "top"]);
    expect(await t.shelves({ boxes: { size: { any_: [2] } } })).toEqual(["top"]);
  });

  test("on the columns of a row that this row names look like its own", async () => {
    await using t = await withShelves(open);
    expect(await t.boxes({}, { shelf_name: { any_: ["top"] } })).toEqual(["a", "b"]);
    expect(await t.boxes({}, { shelf_name: { any_: ["top", "bottom"] } })).toEqual(["a", "b", "c"]);
    expect(await t.boxes({}, { shelf_name: { any_: [] } })).toEqual([]);
    expect(await t.boxes({}, { shelf_name: { is_null_: true } })).toEqual(["loose"]);
    const either = { any_: ["bottom"], is_null_: true, operator: "or_" };
    expect(await t.boxes({}, { shelf_name: either })).toEqual(["c", "loose"]);
  });

  test("go further by way of the same related row", async () => {
    await using t = await withShelves(open);
    const besideB = { neighbours: { name: { any_: ["b"] } } };
    expect(await t.boxes(besideB)).toEqual(["a", "b"]);
    expect(await t.boxes({ ...besideB, shelves: { name: { any_: ["top"] } } })).toEqual(["a", "b"]);
    expect(await t.boxes({ ...besideB, shelves: { name: { any_: ["bottom"] } } })).toEqual([]);
    expect(await t.boxes({ ...besideB, shelves: { id: { any_: [TOP] } } })).toEqual(["a", "b"]);
    expect(await t.boxes({ ...besideB, shelves: { id: { any_: [BOTTOM] } } })).toEqual([]);
  });

  test("on one id and something else must hold both or one of them, as they say", async () => {
    await using t = await withShelves(open);
    const both = { id: { any_: [TOP] }, name: { any_: ["bottom"] } };
    expect(await t.boxes({ shelves: both })).toEqual([]);
    expect(await t.boxes({ shelves: { ...both, operator: "or_" } })).toEqual(["a", "b", "c"]);
  });

  test("must be met by one related row alone", async () => {
    await using t = await withShelves(open);
    const split = { size: { any_: [1] }, name: { any_: ["b"] } };
    expect(await t.shelves({ boxes: split })).toEqual([]);
    expect(await t.shelves({ boxes: { ...split, operator: "or_" } })).toEqual(["bottom", "top"]);
  });

  test("restrict together with those on the rows themselves", async () => {
    await using t = await withShelves(open);
    const onTop = { shelves: { name: { any_: ["top"] } } };
    expect(await t.boxes(onTop, { size: { any_: [2] } })).toEqual(["b"]);
    const either = { operator: "or_", size: { any_: [2] }, name: { any_: ["c", "loose"] } };
    expect(await t.boxes(onTop, either)).toEqual(["b"]);
  });

  test("restrict nothing when they are not there or unknown", async () => {
    await using t = await withShelves(open);
    const all = ["a", "astray", "b", "c", "loose"];
    expect(await t.boxes({})).toEqual(all);
    expect(await t.boxes({ shelves: null })).toEqual(all);
    expect(await t.boxes({ cellars: { name: { any_: ["top"] } } })).toEqual(all);
  });

  test("are met by rows with a related row when they ask nothing of it", async () => {
    await using t = await withShelves(open);
    for (const asked of [{}, { name: {} }, { operator: "or_" }])
      expect(await t.boxes({ shelves: asked })).toEqual(["a", "b", "c"]);
    expect(await t.boxes({ neighbours: {} })).toEqual(["a", "b", "c"]);
    expect(await t.shelves({ boxes: {} })).toEqual(["bottom", "top"]);
  });

  test("are never met by a row of another workspace", async () => {
    await using t = await withShelves(open);
    expect(await t.boxes({ shelves: { id: { any_: [THEIRS] } } })).toEqual([]);
    expect(await t.boxes({ shelves: { name: { like_: "" } } })).toEqual(["a", "b", "c"]);
  });
});
