import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RunJournal } from "./run-journal.ts";

const folder = mkdtempSync(join(tmpdir(), "sdk-journal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const aHome = (): string => mkdtempSync(join(folder, "journal-"));
const at = (key: string, fingerprint: string | null = "a") => ({ key, fingerprint });

test("another process finds what was finished, with values that JSON has no word for", () => {
  const home = aHome();
  const first = RunJournal.open(home, "run");
  const value = { when: new Date(5), names: new Map([["é", 1n]]) };
  first.finish(at("one"), value, { id: "e1" });
  first.finish(at("two"), undefined);
  expect(first.find(at("one"))).toEqual({ value, event: { id: "e1" } });
  const second = RunJournal.open(home, "run");
  expect(second.find(at("one"))).toEqual({ value, event: { id: "e1" } });
  expect(second.find(at("two"))).toEqual({ value: undefined, event: null });
  expect(second.find(at("three"))).toBeNull();
});

test("the same place with other arguments is another call", () => {
  const journal = RunJournal.open(aHome(), "run");
  journal.finish(at("one", "a"), 1);
  expect(journal.find(at("one", "b"))).toBeNull();
  journal.finish(at("one", "b"), 2);
  expect(journal.find(at("one", "b"))?.value).toBe(2);
});

test("a value that cannot be kept is not kept", () => {
  const journal = RunJournal.open(aHome(), "run");
  expect(journal.finish(at("one"), () => 1)).toBe(false);
  expect(journal.find(at("one"))).toBeNull();
});

test("half a line of a killed process spoils nothing", () => {
  const home = aHome();
  RunJournal.open(home, "run").finish(at("one"), 1);
  appendFileSync(join(home, "journals", "run.jsonl"), '{"key":"two","va');
  const second = RunJournal.open(home, "run");
  second.finish(at("three"), 3);
  const third = RunJournal.open(home, "run");
  expect(["one", "two", "three"].map((key) => third.find(at(key))?.value)).toEqual([
    1,
    undefined,
    3,
  ]);
});

test("its file goes when the run is over", () => {
  const home = aHome();
  const journal = RunJournal.open(home, "run");
  journal.finish(at("one"), 1);
  journal.remove();
  expect(existsSync(join(home, "journals", "run.jsonl"))).toBe(false);
});
