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

test("on a narrow terminal a thing that has a name is shown without its id", () => {
  const row = { name: "a-very-long-name-of-something" };
  expect(tableText(columns, [row], 74)).toContain("01a1df69-fd33-7035-aee3-b69d76843e95");
  expect(tableText(columns, [row], 73)).toBe(
    ["NAME                           COUNT", "a-very-long-name-of-something      3"].join("\n"),
  );
});

test("where only its id tells a thing the widest columns give way, and ids stay whole", () => {
  const shownColumns = [
    { title: "Cause", cell: () => "the host cannot be reached" },
    { title: "Key", cell: ({ name }: { name: string }) => name },
    ...columns.slice(1),
  ];
  const text = tableText(shownColumns, [{ name: "a-very-long-name-of-something" }], 79);
  expect(text.split("\n")[1]).toBe(
    "the host cannot…  a-very-long-nam…      3  01a1df69-fd33-7035-aee3-b69d76843e95",
  );
});

test("a name is cut last, as it says which one is meant", () => {
  const shownColumns = [
    { title: "Name", cell: ({ name }: { name: string }) => name },
    { title: "Cause", cell: () => "the host cannot be reached" },
  ];
  const row = { name: "a-very-long-name-of-something" };
  expect(tableText(shownColumns, [row], 47).split("\n")[1]).toBe(
    "a-very-long-name-of-something  the host cannot…",
  );
  expect(tableText(shownColumns, [row], 30).split("\n")[1]).toBe("a-very-long-nam…  the host ca…");
});

test("a text that may be of any length is cut where nothing else limits the width", () => {
  const about = { title: "About", cell: () => "All of it. ".repeat(20), most: 12 };
  const text = tableText([about, ...columns.slice(1)], [{ name: "" }], Number.POSITIVE_INFINITY);
  expect(text.split("\n")[1]).toBe("All of it. …      3  01a1df69-fd33-7035-aee3-b69d76843e95");
});

test("letters that take the room of two, and marks that take none, leave columns under each other", () => {
  const shownColumns = [
    { title: "Tag", cell: ({ name }: { name: string }) => name },
    { title: "Count", cell: () => 3, right: true },
  ];
  const names = ["日次バッチ", "nightly", "ba\u0302ch🚀"];
  const lines = names.map((name) => ({ name }));
  expect(tableText(shownColumns, lines, 200)).toBe(
    ["TAG         COUNT", "日次バッチ      3", "nightly         3", "ba\u0302ch🚀          3"].join(
      "\n",
    ),
  );
  expect(tableText([{ title: "Tag", cell: () => "日次バッチ", most: 8 }], lines, 200)).toContain(
    "日次バ…",
  );
});
