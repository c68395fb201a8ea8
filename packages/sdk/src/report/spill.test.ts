import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Spill } from "./spill.ts";

const folder = mkdtempSync(join(tmpdir(), "sdk-spill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MANY = 1000;
const BIG = 1_000_000;
const aPath = (): string => join(mkdtempSync(join(folder, "spill-")), "deep", "a.jsonl");

test("gives back lines in their order, and its file goes with the last of them", () => {
  const path = aPath();
  const spill = new Spill(path);
  spill.append(["1", "2"]);
  spill.append(["3"]);
  expect(spill.take(2, BIG)).toEqual(["1", "2"]);
  spill.settle();
  expect(spill.isEmpty()).toBe(false);
  expect(spill.take(MANY, BIG)).toEqual(["3"]);
  expect(existsSync(path)).toBe(true);
  spill.settle();
  expect(spill.isEmpty()).toBe(true);
  expect(existsSync(path)).toBe(false);
});

test("a line that is longer than a batch is given whole", () => {
  const spill = new Spill(aPath());
  const long = "é".repeat(5000);
  spill.append([long, "short"]);
  expect(spill.take(1, 100)).toEqual([long]);
  expect(spill.take(MANY, 100)).toEqual(["short"]);
});

test("what was taken and not delivered is there for the next process, before what came after", () => {
  const path = aPath();
  const spill = new Spill(path);
  spill.append(["1", "2", "3"]);
  const taken = spill.take(2, BIG);
  spill.prepend(taken);
  spill.close();
  expect(Spill.open(path).take(MANY, BIG)).toEqual(["1", "2", "3"]);
});

test("half a line, left by a writer that was killed, is passed over", () => {
  const path = aPath();
  const spill = new Spill(path);
  spill.append(["1"]);
  spill.close();
  appendFileSync(path, '{"half');
  const left = Spill.open(path);
  expect(left.take(MANY, BIG)).toEqual(["1"]);
  expect(left.take(MANY, BIG)).toEqual([]);
  expect(left.isEmpty()).toBe(true);
});
