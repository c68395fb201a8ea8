import { expect, test } from "vitest";
import { RunQueue } from "./run-queue.ts";

function held() {
  const open: (() => void)[] = [];
  const started: string[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => open.push(resolve));
  };
  return { started, work, endFirst: () => open.shift()?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("runs no more at once than it may, first come, first served", async () => {
  const queue = new RunQueue({ total: 2, perHost: 2 });
  const { started, work, endFirst } = held();
  const all = ["a", "b", "c", "d"].map((host) => queue.run(host, work(host)));
  await settled();
  expect(started).toEqual(["a", "b"]);
  expect(queue.waiting).toBe(2);
  endFirst();
  await settled();
  expect(started).toEqual(["a", "b", "c"]);
  while (queue.running > 0) {
    endFirst();
    await settled();
  }
  await Promise.all(all);
});

test("a busy host keeps nobody else waiting", async () => {
  const queue = new RunQueue({ total: 10, perHost: 1 });
  const { started, work, endFirst } = held();
  void queue.run("slow", work("slow 1"));
  void queue.run("slow", work("slow 2"));
  void queue.run("other", work("other"));
  await settled();
  expect(started).toEqual(["slow 1", "other"]);
  endFirst();
  await settled();
  expect(started).toEqual(["slow 1", "other", "slow 2"]);
});

test("goes on after work that fails", async () => {
  const queue = new RunQueue({ total: 1, perHost: 1 });
  const failed = queue.run("a", () => Promise.reject(new Error("no")));
  const next = queue.run("a", () => Promise.resolve("yes"));
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
  expect(queue.running).toBe(0);
});
