import { expect, test } from "vitest";
import { column } from "./column.ts";
import { defineTable } from "./table.ts";

const { flag, id, json, tags, text, time } = column;

const PARCELS = defineTable("parcels", {
  id: id(),
  updated: time().changeable(),
  name: text().changeable().published(2),
  note: text().orNull().changeable().published(1),
  size: { kind: "integer", expression: ({ text }) => text("length($.content)") },
  content: json().initially("{}").internal().changeable(),
  labels: tags().changeable().published(),
  sealed: flag().later(),
});
const ROW = { id: "1", updated: "now", name: "a", note: "b", content: "{}", labels: "[]" };

test("a table writes every column of a new row in its workspace, but for those that come later", () => {
  expect(PARCELS.values({ workspace_id: "w", ...ROW })).toEqual({ workspace_id: "w", ...ROW });
  expect(PARCELS.qualified).toContain("parcels.content");
});

test("a record has the columns that are not internal and what is computed, in their order", () => {
  expect(Object.keys(PARCELS.fields)).toEqual([
    "id",
    "updated",
    "name",
    "note",
    "size",
    "labels",
    "sealed",
  ]);
});

test("a new row has what is given, and what columns begin with", () => {
  const given = { id: "1", updated: "now", name: "a", labels: "[]" };
  expect(PARCELS.newRow(given)).toEqual({ ...ROW, note: null });
  expect(PARCELS.newRow({ ...given, note: "b" })).toEqual(ROW);
});

test("a changed row has what is given as the database keeps it, and the rest as it was", () => {
  const given = { content: { a: 1.5 }, labels: ["x", "x"], id: "2", unknown: 1 };
  expect(PARCELS.changed(ROW, given)).toEqual({ ...ROW, content: '{"a":1.5}', labels: '["x"]' });
});

test("null empties only what can be empty", () => {
  expect(PARCELS.changed(ROW, { name: null, note: null })).toEqual({ ...ROW, note: null });
  expect(PARCELS.changed(ROW, { name: undefined })).toEqual(ROW);
});

test("events have columns in their places, and those without one after them", () => {
  expect(PARCELS.columnsWith("published")).toEqual(["note", "name", "labels"]);
});
