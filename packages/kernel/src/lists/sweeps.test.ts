import { expect, test } from "vitest";
import type { Filterable, Relations } from "./definition.ts";
import { sweptBy } from "./sweeps.ts";

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
  expect(sweptBy(RUNS, { filter: { name: { like_: "x" } } })).toBe("runs");
  expect(sweptBy(RUNS, {})).toBe("runs");
});

test("few are looked at where few have the value that is asked for, whatever else is asked", () => {
  expect(sweptBy(RUNS, { filter: { id: { any_: ["a"] }, name: { like_: "x" } } })).toBeNull();
  expect(sweptBy(RUNS, { filter: { key: { any_: ["a"] } } })).toBeNull();
});

test("few are not enough when others are asked for as well", () => {
  const either = { operator: "or_", id: { any_: ["a"] }, name: { like_: "x" } };
  expect(sweptBy(RUNS, { filter: either })).toBe("runs");
  expect(sweptBy(RUNS, { filter: { id: { not_any_: ["a"] } } })).toBe("runs");
  expect(sweptBy(RUNS, { filter: { key: { like_: "a" } } })).toBe("runs");
});

test("a list of few asks a vast table when it is asked about related rows, near or far", () => {
  const related = { runs: { name: { like_: "x" } } };
  expect(sweptBy(FLOWS, { related, relations: TO_RUNS })).toBe("runs");
  const far: Relations = { deployments: { to: FLOWS, column: "id", relations: TO_RUNS } };
  expect(sweptBy(FLOWS, { related, relations: far })).toBe("runs");
  expect(sweptBy(FLOWS, { related: {}, relations: TO_RUNS })).toBeNull();
});
