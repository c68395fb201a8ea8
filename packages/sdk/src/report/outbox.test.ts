import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Outbox } from "./outbox.ts";
import { Spill } from "./spill.ts";

const folder = mkdtempSync(join(tmpdir(), "sdk-outbox-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Item {
  readonly n: number;
}

const LONG_MS = 20_000;
const WORTH = "away";

function anOutbox(send: (batch: Item[]) => Promise<void>, maxMemoryBytes = 1_000_000) {
  const path = join(mkdtempSync(join(folder, "outbox-")), "a.jsonl");
  const refused: Item[] = [];
  const outbox = new Outbox<Item>({
    send,
    sizeOf: () => 10,
    isWorthRetrying: (error) => (error as Error).message === WORTH,
    spill: new Spill(path),
    lingerMs: 1,
    onRefused: (item) => refused.push(item),
    maxMemoryBytes,
  });
  return { outbox, path, refused };
}

const items = (count: number): Item[] => Array.from({ length: count }, (_, n) => ({ n }));

test("delivers everything in its order, also what did not fit into memory", async () => {
  const seen: Item[] = [];
  const { outbox, path } = anOutbox(async (batch) => void seen.push(...batch), 50);
  for (const item of items(5000)) outbox.push(item);
  expect(existsSync(path)).toBe(true);
  expect(await outbox.flush(LONG_MS)).toBe(true);
  expect(seen).toEqual(items(5000));
  expect(existsSync(path)).toBe(false);
});

test("tells the same batch again while nobody answers, and nothing out of its turn", async () => {
  const seen: Item[][] = [];
  let failures = 2;
  const { outbox } = anOutbox(async (batch) => {
    seen.push(batch);
    if (failures-- > 0) throw new Error(WORTH);
  });
  for (const item of items(3)) outbox.push(item);
  expect(await outbox.flush(LONG_MS)).toBe(true);
  expect(seen).toEqual([items(3), items(3), items(3)]);
});

test("an item that the server refuses does not keep the others from it", async () => {
  const seen: Item[] = [];
  const { outbox, refused } = anOutbox(async (batch) => {
    if (batch.some(({ n }) => n === 2)) throw new Error("422");
    seen.push(...batch);
  });
  for (const item of items(5)) outbox.push(item);
  expect(await outbox.flush(LONG_MS)).toBe(true);
  expect(seen.map(({ n }) => n)).toEqual([0, 1, 3, 4]);
  expect(refused).toEqual([{ n: 2 }]);
});

test("what is not delivered when it is closed stands in the file", async () => {
  const { outbox, path } = anOutbox(() => Promise.reject(new Error(WORTH)), 25);
  for (const item of items(4)) outbox.push(item);
  expect(await outbox.flush(1)).toBe(false);
  outbox.close();
  const lines = readFileSync(path, "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as Item)).toEqual(items(4));
});
