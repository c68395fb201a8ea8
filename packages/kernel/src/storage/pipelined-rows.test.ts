import { expect, test } from "vitest";
import { statement, W1, W2 } from "../testing/things.ts";
import { gathered, pipelinedRows } from "./pipelined-rows.ts";

const named = () =>
  statement<{ rows: string; more: string }>()((db, p) =>
    db.selectFrom("things").select("name").where("workspace_id", "=", p.workspace_id),
  );
const [one, other] = [named(), named()];
const told = (workspaceId: string, insert: typeof one, ...[rows, more = ""]: [string, string?]) =>
  pipelinedRows(workspaceId, insert, { rows, more });

test("rows of one workspace and statement are added at once, in the order in which they were told", () => {
  const additions = gathered([
    told(W1, one, "1"),
    told(W1, other, "2"),
    told(W1, one, "3,4", "x"),
    told(W2, one, "5"),
    told(W1, one, "6"),
  ]);
  expect(additions.map(({ workspaceId, parameters }) => ({ workspaceId, ...parameters }))).toEqual([
    { workspaceId: W1, rows: "[1,3,4,6]", more: "[x]" },
    { workspaceId: W1, rows: "[2]", more: "[]" },
    { workspaceId: W2, rows: "[5]", more: "[]" },
  ]);
  expect(additions.map(({ statement }) => statement)).toEqual([one, other, one]);
});

test("so many characters are added at once, and more only if one write has told of them", () => {
  const long = (digit: string, length: number) => told(W1, one, digit.repeat(length));
  const additions = gathered([
    long("1", 600_000),
    long("2", 300_000),
    long("3", 200_000),
    long("4", 5_000_000),
    long("5", 1),
  ]);
  const lengths = additions.map(({ parameters }) => parameters["rows"]?.length);
  expect(lengths).toEqual([900_003, 200_002, 5_000_002, 3]);
});
