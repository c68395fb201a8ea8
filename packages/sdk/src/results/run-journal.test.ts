import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RunJournal } from "./run-journal.ts";
import { packValue } from "./values.ts";

const folder = mkdtempSync(join(tmpdir(), "sdk-journal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const aHome = (): string => mkdtempSync(join(folder, "journal-"));
const EVENT = { id: "e1", occurred: "", event: "e", resource: {} };
const packed = (value: unknown): string => (packValue(value) ?? Buffer.alloc(0)).toString("base64");
const at = (key: string, fingerprint: string | null = "a") => ({ key, fingerprint });

test("another process finds what was finished, with values that JSON has no word for", () => {
  const home = aHome();
  const first = RunJournal.open(home, "run");
  const value = { when: new Date(5), names: new Map([["é", 1n]]) };
  first.finish(at("one"), packed(value), EVENT);
  first.finish(at("two"), packed(undefined), null);
  expect(first.find(at("one"))).toMatchObject({ value, event: EVENT });
  const second = RunJournal.open(home, "run");
  expect(second.find(at("one"))).toMatchObject({ value, event: EVENT });
  expect(second.find(at("two"))).toMatchObject({ value: undefined, event: null });
  expect(second.find(at("three"))).toBeNull();
});

test("the same place with other arguments is another call", () => {
  const journal = RunJournal.open(aHome(), "run");
  journal.finish(at("one", "a"), packed(1), null);
  expect(journal.find(at("one", "b"))).toBeNull();
  journal.finish(at("one", "b"), packed(2), null);
  expect(journal.find(at("one", "b"))?.value).toBe(2);
});

test("a result that the server has counts, whatever this machine knew before", () => {
  const journal = RunJournal.open(aHome(), "run");
  journal.finish(at("one"), packed("here"), EVENT);
  expect(journal.find(at("one"))).toMatchObject({ value: "here", isShared: false });
  journal.share({ ...at("one"), value: packed("there"), task_run_id: null });
  expect(journal.find(at("one"))).toMatchObject({ value: "there", event: null, isShared: true });
});

test("half a line of a killed process spoils nothing", () => {
  const home = aHome();
  RunJournal.open(home, "run").finish(at("one"), packed(1), null);
  appendFileSync(join(home, "journals", "run.jsonl"), '{"key":"two","va');
  const second = RunJournal.open(home, "run");
  second.finish(at("three"), packed(3), null);
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
  journal.finish(at("one"), packed(1), null);
  journal.remove();
  expect(existsSync(join(home, "journals", "run.jsonl"))).toBe(false);
});
