import { describe, expect, test } from "vitest";
import { aligned, paired } from "./side-by-side.ts";

const besides = (a: string, b: string) =>
  aligned(a.split(" "), b.split(" "), (one, other) => one === other).map(
    ([one = "–", other = "–"]) => `${one}|${other}`,
  );

describe("the histories of two runs", () => {
  test("stand beside each other where they are the same", () => {
    expect(besides("Pending Running Completed", "Scheduled Late Pending Running Failed")).toEqual([
      "–|Scheduled",
      "–|Late",
      "Pending|Pending",
      "Running|Running",
      "Completed|–",
      "–|Failed",
    ]);
  });

  test("leave a gap for each more try of one of them", () => {
    expect(besides("Running Retrying Running Completed", "Running Completed")).toEqual([
      "Running|Running",
      "Retrying|–",
      "Running|–",
      "Completed|Completed",
    ]);
  });

  test("may be empty", () => {
    expect(aligned([], ["Pending"], Object.is)).toEqual([[undefined, "Pending"]]);
    expect(aligned([], [], Object.is)).toEqual([]);
  });
});

const named = (...labels: string[]) => labels.map((label) => ({ label }));
const pairsOf = (a: string[], b: string[]) =>
  paired(named(...a), named(...b)).map(([one, other]) => `${one?.label}|${other?.label}`);

describe("the tasks of two runs", () => {
  test("are paired by name, in whichever order they ran", () => {
    expect(pairsOf(["load-0", "load-1", "clean"], ["load-1", "load-0", "send"])).toEqual([
      "load-0|load-0",
      "load-1|load-1",
      "clean|undefined",
      "undefined|send",
    ]);
  });

  test("are paired in their order where chance is part of their names", () => {
    expect(
      pairsOf(["load-3fa", "load-b01", "etl / calm-otter"], ["load-77c", "etl / red-fox"]),
    ).toEqual(["load-3fa|load-77c", "load-b01|undefined", "etl / calm-otter|etl / red-fox"]);
  });
});
