import { expect, test } from "vitest";
import { parseMicros } from "../clock/timestamp.ts";
import type { Database } from "../storage/database.ts";
import type { RowSql } from "../storage/dialect.ts";
import {
  addBoxes,
  addShelves,
  BOX_LIST,
  type Box,
  boxMigrations,
  testId,
} from "../testing/boxes.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { W1, W2 } from "../testing/things.ts";
import { listIds } from "./list-ids.ts";
import { pageJson } from "./page-json.ts";
import {
  countRows,
  type ListPageRequest,
  listJson,
  type Selection,
  selectFrom,
} from "./read-list.ts";

const list = async (db: Database, request: Selection & Partial<ListPageRequest>): Promise<Box[]> =>
  JSON.parse(await listJson<Box>(db.in(W1), BOX_LIST, { limit: 100, offset: 0, ...request }));
const names = async (
  db: Database,
  request: Selection & Partial<ListPageRequest>,
): Promise<string[]> => (await list(db, request)).map(({ name }) => name);

describeEachDatabase("a list", (open) => {
  test("holds records with their fields in order and every kind of value as it is", async () => {
    await using t = await open([boxMigrations]);
    const box = {
      id: testId(1),
      name: 'a "quoted" name\nwith \\ and 😀 and \u0001',
      note: "",
      packed: "2026-01-01T00:00:00.000001Z",
      opened: "2026-01-02T00:00:00.000000Z",
      size: -(2 ** 52),
      weight: 0.1,
      is_open: true,
      content: '{"z": [1, 2.50, null, "é"], "a": {"deep": {"er": true}}}',
      shelf_id: testId(7),
    };
    await addBoxes(t.db, [{ ...box, labels: ["red", 'a"b'] }]);
    const [record] = await list(t.db, {});
    expect(record).toEqual({ ...box, labels: ["red", 'a"b'], content: JSON.parse(box.content) });
    expect(Object.keys(record ?? {})).toEqual(Object.keys(BOX_LIST.fields));
    expect(Object.keys((record?.content ?? {}) as object)).toEqual(["z", "a"]);
  });

  test("shows what is missing as null, and false as false", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(t.db, [
      { name: "a", is_open: false },
      { name: "b", is_open: null, content: "false" },
    ]);
    const missing = { note: null, opened: null, size: null, weight: null, shelf_id: null };
    expect(await list(t.db, {})).toMatchObject([
      { ...missing, is_open: false, content: null, labels: [] },
      { ...missing, is_open: null, content: false },
    ]);
  });

  test("shows what is found elsewhere under names of its own, and null where there is nothing", async () => {
    await using t = await open([boxMigrations]);
    await addShelves(t.db, [{ id: testId(7), name: 'the "upper" one' }]);
    await addBoxes(t.db, [
      { name: "a", shelf_id: testId(7) },
      { name: "b", shelf_id: testId(8) },
      { name: "c", shelf_id: null },
    ]);
    const column = (kind: "id" | "text", name: string) => ({
      kind,
      expression: ({ text }: RowSql) => text(name),
    });
    const from = "shelves where shelves.id = $.shelf_id";
    const shelf_name = column("text", "shelves.name");
    const nothing = column("text", "null");
    const fields = {
      first: { from, fields: { shelf_name, nothing } },
      name: "text",
      last: { from, fields: { shelf_id: column("id", "shelves.id") } },
    } as const;
    const page = { limit: 10, offset: 0 };
    const nowhere = { shelf_name: null, nothing: null, shelf_id: null };
    expect(JSON.parse(await listJson(t.db.in(W1), { ...BOX_LIST, fields }, page))).toEqual([
      { shelf_name: 'the "upper" one', nothing: null, name: "a", shelf_id: testId(7) },
      { ...nowhere, name: "b" },
      { ...nowhere, name: "c" },
    ]);
  });

  test("shows what is worked out as what it is", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(t.db, [{ name: "a", size: 2 ** 52, weight: 1e-7, labels: ["x"] }]);
    const worked = <K extends string>(kind: K, expression: string) => ({
      kind,
      expression: ({ text }: RowSql) => text(expression),
    });
    const fields = {
      sum: worked("integer", "$.size + 1"),
      count: worked("integer", "select count(*) from shelves"),
      part: worked("real", "$.weight / 2"),
      large: worked("real", "1e300"),
      choice: worked("flag", "case when $.size > 1 then $.size > 2 else null end"),
      text: worked("text", "$.name || '\"'"),
      nothing: worked("json", "null"),
      list: worked("json", "select '[1, \"b\"]'"),
      copy: worked("tags", "$.labels"),
    } as const;
    const page = { limit: 10, offset: 0 };
    expect(JSON.parse(await listJson(t.db.in(W1), { ...BOX_LIST, fields }, page))).toEqual([
      {
        sum: 2 ** 52 + 1,
        count: 0,
        part: 5e-8,
        large: 1e300,
        choice: true,
        text: 'a"',
        nothing: null,
        list: [1, "b"],
        copy: ["x"],
      },
    ]);
  });

  test("is an empty array when nothing matches or nothing is asked for", async () => {
    await using t = await open([boxMigrations]);
    const queries = t.db.in(W1);
    expect(await listJson(queries, BOX_LIST, { limit: 10, offset: 0 })).toBe("[]");
    await addBoxes(t.db, [{ name: "a" }]);
    expect(await listJson(queries, BOX_LIST, { limit: 0, offset: 0 })).toBe("[]");
    expect(await listJson(queries, BOX_LIST, { limit: 10, offset: 5 })).toBe("[]");
  });

  test("is sorted as asked, by default and for an unknown sort as its definition says", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(t.db, [
      { name: "c", size: 1 },
      { name: "a", size: 2 },
      { name: "b", size: 2 },
    ]);
    expect(await names(t.db, { sort: "SIZE_ASC" })).toEqual(["c", "a", "b"]);
    expect(await names(t.db, { sort: "SIZE_DESC" })).toEqual(["a", "b", "c"]);
    for (const sort of [undefined, null, "NAME_ASC", "NO_SUCH_SORT", "constructor"]) {
      expect(await names(t.db, { sort })).toEqual(["a", "b", "c"]);
    }
  });

  test("sorts text by its code points, on every installation", async () => {
    await using t = await open([boxMigrations]);
    const sorted = ["A-1", "B", "a", "a b", "aB", "a_b", "ab", "z", "É", "é", "日", "😀"];
    await addBoxes(
      t.db,
      sorted.toReversed().map((name) => ({ name })),
    );
    expect(await names(t.db, {})).toEqual(sorted);
  });

  test("puts what has no value behind all values, or before them when it is turned round", async () => {
    await using t = await open([boxMigrations]);
    const on = (day: number): string => `2026-01-0${day}T00:00:00.000000Z`;
    await addBoxes(t.db, [
      { name: "second", opened: on(2) },
      { name: "never" },
      { name: "first", opened: on(1) },
    ]);
    expect(await names(t.db, { sort: "OPENED_ASC" })).toEqual(["first", "second", "never"]);
    expect(await names(t.db, { sort: "OPENED_DESC" })).toEqual(["never", "second", "first"]);
  });

  test("has every row on exactly one page, however many have the same sort value", async () => {
    await using t = await open([boxMigrations]);
    const shuffled = [7, 2, 9, 4, 1, 8, 3, 10, 6, 5];
    await addBoxes(
      t.db,
      shuffled.map((n) => ({ id: testId(n), name: `box ${n}`, size: n % 2 })),
    );
    const pages: string[] = [];
    for (let offset = 0; offset < 12; offset += 3) {
      pages.push(...(await names(t.db, { sort: "SIZE_ASC", limit: 3, offset })));
    }
    const expected = [2, 4, 6, 8, 10, 1, 3, 5, 7, 9];
    expect(pages).toEqual(expected.map((n) => `box ${n}`));
  });
});

describeEachDatabase("a list", (open) => {
  test("turned round has equal rows turned round as well", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(t.db, [{ name: "a" }, { name: "b" }, { name: "c" }]);
    expect(await names(t.db, { sort: "OPENED_ASC" })).toEqual(["a", "b", "c"]);
    expect(await names(t.db, { sort: "OPENED_DESC" })).toEqual(["c", "b", "a"]);
  });

  test("of rows that are found by id is the same list", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(
      t.db,
      [3, 1, 2, 5, 4].map((size) => ({ name: `box ${size}`, size })),
    );
    await addBoxes(t.db, [{ id: testId(9), size: 2 }], W2);
    const long = { ...BOX_LIST, isLarge: true } as const;
    const request = {
      filter: { size: { ge_: 2 } },
      sort: "SIZE_DESC",
      limit: 2,
      offset: 1,
    };
    const queries = t.db.in(W1);
    const page = await listJson<Box>(queries, long, request);
    expect((JSON.parse(page) as Box[]).map(({ name }) => name)).toEqual(["box 4", "box 3"]);
    expect(page).toBe(await listJson(queries, BOX_LIST, request));
  });

  test("of ids has those that match, the oldest first", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(t.db, [{ size: 1 }, { size: 2 }, { size: 1 }, { size: 1 }]);
    const filter = { size: { any_: [1] } };
    expect(await listIds(t.db.in(W1), BOX_LIST, { filter, limit: 2 })).toEqual([
      testId(1),
      testId(3),
    ]);
    expect(await listIds(t.db.in(W2), BOX_LIST, { limit: 10 })).toEqual([]);
  });
});

describeEachDatabase("a query of its own", (open) => {
  test("reads the rows that a selection leaves", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(t.db, [{ size: 1 }, { size: 2 }, { size: 5 }]);
    await addBoxes(t.db, [{ id: testId(9), size: 2 }], W2);
    const row = await selectFrom<{ total: number }>(t.db.in(W1), BOX_LIST, {
      selection: { filter: { size: { ge_: 2 } } },
      query: ({ where, bind }) =>
        `select cast(sum(size) as bigint) + cast(${bind(100)} as bigint) as total from boxes where ${where}`,
    });
    expect(row).toEqual({ total: 107 });
  });

  test("can reckon with times in whole microseconds", async () => {
    await using t = await open([boxMigrations]);
    const packed = "2026-03-01T12:00:00.999999Z";
    await addBoxes(t.db, [{ packed }]);
    const row = await selectFrom<{ micros: number }>(t.db.in(W1), BOX_LIST, {
      selection: {},
      query: ({ where, dialect }) =>
        `select ${dialect.micros("packed")} as micros from boxes where ${where}`,
    });
    expect(row).toEqual({ micros: parseMicros(packed) });
  });
});

describeEachDatabase("a count", (open) => {
  test("tells how many rows match, in this workspace", async () => {
    await using t = await open([boxMigrations]);
    expect(await countRows(t.db.in(W1), BOX_LIST, {})).toBe(0);
    await addBoxes(t.db, [{ size: 1 }, { size: 2 }, { size: 2 }]);
    await addBoxes(t.db, [{ id: testId(9), size: 2 }], W2);
    expect(await countRows(t.db.in(W1), BOX_LIST, {})).toBe(3);
    expect(await countRows(t.db.in(W1), BOX_LIST, { filter: { size: { any_: [2] } } })).toBe(2);
    expect(await countRows(t.db.in(W1), BOX_LIST, { filter: { size: { any_: [] } } })).toBe(0);
  });
});

describeEachDatabase("a page", (open) => {
  const pageOf = async (db: Database, request: Selection & { limit: number; page: number }) => {
    const { results, ...rest } = JSON.parse(await pageJson<Box>(db.in(W1), BOX_LIST, request));
    return { names: (results as Box[]).map(({ name }) => name), ...rest };
  };

  test("holds its rows, and how many rows and pages there are", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(t.db, [
      { name: "a" },
      { name: "b" },
      { name: "c" },
      { name: "d" },
      { name: "e" },
    ]);
    const whole = { count: 5, limit: 2, pages: 3 };
    expect(await pageOf(t.db, { limit: 2, page: 1 })).toEqual({
      names: ["a", "b"],
      ...whole,
      page: 1,
    });
    expect(await pageOf(t.db, { limit: 2, page: 3 })).toEqual({ names: ["e"], ...whole, page: 3 });
    expect(await pageOf(t.db, { limit: 2, page: 4 })).toEqual({ names: [], ...whole, page: 4 });
    expect(await pageOf(t.db, { limit: 5, page: 1 })).toMatchObject({ count: 5, pages: 1 });
  });

  test("counts only the rows that match", async () => {
    await using t = await open([boxMigrations]);
    await addBoxes(t.db, [
      { name: "a", size: 1 },
      { name: "b", size: 2 },
      { name: "c", size: 1 },
    ]);
    const filter = { size: { any_: [1] } };
    expect(await pageOf(t.db, { filter, limit: 1, page: 2 })).toEqual({
      names: ["c"],
      count: 2,
      limit: 1,
      pages: 2,
      page: 2,
    });
  });

  test("is empty, of no pages, when nothing is there or nothing is asked for", async () => {
    await using t = await open([boxMigrations]);
    const empty = { names: [], pages: 0, page: 1 };
    expect(await pageOf(t.db, { limit: 10, page: 1 })).toEqual({ ...empty, count: 0, limit: 10 });
    await addBoxes(t.db, [{ name: "a" }]);
    expect(await pageOf(t.db, { limit: 0, page: 1 })).toEqual({ ...empty, count: 1, limit: 0 });
  });
});
