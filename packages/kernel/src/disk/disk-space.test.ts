import { expect, test } from "vitest";
import { DiskWatch } from "./disk-space.ts";

function watched(limits: { warnBelow: number; refuseBelow: number }) {
  let free = 50;
  const lines: string[] = [];
  const write = (...[, line]: unknown[]): void => void lines.push(String(line));
  const disk = new DiskWatch({
    folder: "/data",
    ...limits,
    log: { warn: write, error: write },
    readFree: async () => free,
  });
  return {
    disk,
    lines,
    at: async (percent: number) => {
      free = percent;
      await disk.measure();
      return [disk.warning() !== null, disk.bulkProblem()?.code ?? null];
    },
  };
}

test("a disk below the first threshold is reported, and below the second refuses bulk writes", async () => {
  const { at, disk } = watched({ warnBelow: 10, refuseBelow: 3 });
  expect(await at(10)).toEqual([false, null]);
  expect(await at(9.9)).toEqual([true, null]);
  expect(disk.warning()).toBe(
    "Of the disk of the data only 9.9 % are free: free some space, or events, logs and artifacts will be refused below 3 %",
  );
  expect(await at(2.9)).toEqual([true, "insufficient_storage"]);
  expect(await at(4)).toEqual([true, null]);
  expect(await at(11)).toEqual([false, null]);
});

test("the log has one line per change, also while free space hovers around a threshold", async () => {
  const { at, lines } = watched({ warnBelow: 10, refuseBelow: 3 });
  for (const free of [50, 9.9, 10.1, 9.9, 10.1, 2.9, 3.1, 2.9, 50, 50]) await at(free);
  expect(lines).toEqual([
    expect.stringContaining("only 9.9 % are free"),
    expect.stringContaining("events, logs and artifacts are refused"),
    "The disk of the data has enough space again",
  ]);
});

test("a threshold of 0 turns the check off", async () => {
  const { at } = watched({ warnBelow: 0, refuseBelow: 0 });
  expect(await at(0)).toEqual([false, null]);
});

test("a real disk has some space", async () => {
  const log = { warn: () => {}, error: () => {} };
  const parts = { folder: import.meta.dirname, log, refuseBelow: 0 };
  const ample = new DiskWatch({ ...parts, warnBelow: 0 });
  await ample.measure();
  expect(ample.warning()).toBeNull();
  const short = new DiskWatch({ ...parts, warnBelow: 100 });
  await short.measure();
  expect(short.warning()).toMatch(/^Of the disk of the data only \d+\.\d % are free/);
});
