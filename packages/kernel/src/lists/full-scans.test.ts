import { expect, test } from "vitest";
import type { Filterable, Relations } from "./definition.ts";
import { fullScansOf } from "./full-scans.ts";

const RUNS: Filterable = {
  table: "runs",
  isVast: true,
  filter: {
    id: { column: "id", kind: "id", isNarrow: true, operators: ["any_", "not_any_"] },
    key: { column: "key", kind: "text", isRare: true, operators: ["any_", "like_"] },
    name: { column: "name", kind: "text", operators: ["any_", "like_"] },
  },
};
const FLOWS: Filterable = { table: "flows", filter: {} };
const TO_RUNS: Relations = { runs: { to: RUNS, theirColumn: "flow_id" } };

test("all rows of a vast table may have to be looked at for what no index finds", () => {
  expect(fullScansOf(RUNS, { filter: { name: { like_: "x" } } })).toEqual(["runs"]);
  expect(fullScansOf(RUNS, {})).toEqual(["runs"]);
});

test("a text is looked for in all of them, also where an id is asked for", () => {
  expect(fullScansOf(RUNS, { filter: { id: { any_: ["a"] }, name: { like_: "x" } } })).toEqual([
    "runs",
  ]);
});

test("few are looked at where few have the value that is asked for, whatever else is asked", () => {
  expect(fullScansOf(RUNS, { filter: { id: { any_: ["a"] }, name: { any_: ["x"] } } })).toEqual([]);
  expect(fullScansOf(RUNS, { filter: { key: { any_: ["a"] } } })).toEqual(["runs"]);
});

test("few are not enough when others are asked for as well", () => {
  const either = { operator: "or_", id: { any_: ["a"] }, name: { like_: "x" } };
  expect(fullScansOf(RUNS, { filter: either })).toEqual(["runs"]);
  expect(fullScansOf(RUNS, { filter: { id: { not_any_: ["a"] } } })).toEqual(["runs"]);
  expect(fullScansOf(RUNS, { filter: { key: { like_: "a" } } })).toEqual(["runs"]);
  const within = { key: { operator: "or_", any_: ["a"], like_: "a" } };
  expect(fullScansOf(RUNS, { filter: within })).toEqual(["runs"]);
  const orNone = { id: { operator: "or_", any_: ["a"], not_any_: ["b"] } };
  expect(fullScansOf(RUNS, { filter: orNone })).toEqual(["runs"]);
});

test("few of the list's own rows are no help where another vast table is asked about", () => {
  const lines: Filterable = { ...RUNS, table: "lines" };
  const relations: Relations = { runs: { to: RUNS, column: "run_id" } };
  const related = { runs: { name: { like_: "x" } } };
  expect(fullScansOf(lines, { related, relations })).toEqual(["lines", "runs"]);
  const filter = { id: { any_: ["a"] } };
  expect(fullScansOf(lines, { filter, related, relations })).toEqual(["runs"]);
});

test("few rows belong to one of another vast table, by whose id they are found", () => {
  const lines: Filterable = { ...RUNS, table: "lines" };
  const relations: Relations = { runs: { to: RUNS, column: "run_id" } };
  expect(fullScansOf(lines, { related: { runs: { id: { any_: ["a"] } } }, relations })).toEqual([]);
});

test("for a view, the table behind it is gone through", () => {
  const view: Filterable = { ...RUNS, table: "latest", isVast: { table: "runs" } };
  expect(fullScansOf(view, {})).toEqual(["runs"]);
});

test("a list of few asks a vast table when it is asked about related rows, near or far", () => {
  const related = { runs: { name: { like_: "x" } } };
  expect(fullScansOf(FLOWS, { related, relations: TO_RUNS })).toEqual(["runs"]);
  const far: Relations = { deployments: { to: FLOWS, column: "id", relations: TO_RUNS } };
  expect(fullScansOf(FLOWS, { related, relations: far })).toEqual(["runs"]);
  const through: Relations = {
    runs: { to: RUNS, column: "run_id", relations: { flows: { to: FLOWS, column: "flow_id" } } },
  };
  expect(fullScansOf(FLOWS, { related: { flows: {} }, relations: through })).toEqual(["runs"]);
  expect(fullScansOf(FLOWS, { related: {}, relations: TO_RUNS })).toEqual([]);
});
