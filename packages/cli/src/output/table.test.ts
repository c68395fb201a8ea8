import { expect, test } from "vitest";
import { tableText } from "./table.ts";

const columns = [
  { title: "Name", cell: (row: { name: string }) => row.name },
  { title: "Count", cell: () => 3, right: true },
  { title: "Id", cell: () => "01a1df69-fd33-7035-aee3-b69d76843e95" },
];

test("columns are as wide as what they hold, numbers at the right", () => {
  expect(tableText(columns, [{ name: "a\nb" }, { name: "longer" }], 200)).toBe(
    [
      "NAME    COUNT  ID",
      "a b         3  01a1df69-fd33-7035-aee3-b69d76843e95",
      "longer      3  01a1df69-fd33-7035-aee3-b69d76843e95",
    ].join("\n"),
  );
});

test("on a narrow terminal the widest column gives way, and ids stay whole", () => {
  const text = tableText(columns, [{ name: "a-very-long-name-of-something" }], 60);
  expect(text.split("\n")[1]).toBe("a-very-long-na…      3  01a1df69-fd33-7035-aee3-b69d76843e95");
});

test("a text that may be of any length is cut where nothing else limits the width", () => {
  const about = { title: "About", cell: () => "All of it. ".repeat(20), most: 12 };
  const text = tableText([about, ...columns.slice(1)], [{ name: "" }], Number.POSITIVE_INFINITY);
  expect(text.split("\n")[1]).toBe("All of it. …      3  01a1df69-fd33-7035-aee3-b69d76843e95");
});
