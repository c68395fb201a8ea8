// What tests of the pool run on its threads.

import { getPriority } from "node:os";
import { threadName } from "../compute/thread-cpu.ts";

export const double = (number: number): number => number * 2;

export const matches = ({ pattern, text }: { pattern: string; text: string }): boolean =>
  new RegExp(pattern).test(text);

export function spin(flag: Int32Array): void {
  Atomics.store(flag, 0, 1);
  for (;;) if (Atomics.load(flag, 1) === 1) return;
}

/** Waits without CPU time. */
export function rest(flag: Int32Array): void {
  Atomics.wait(flag, 0, 0);
}

export function allocate(): number {
  const kept: string[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => `item ${i} of ${kept.length}`));
}

export function throws(): never {
  throw new TypeError("not this");
}

/** In a thread this ends the thread alone. */
export function ends(): never {
  process.exit(1);
}

export const priority = (): number => getPriority(Number(threadName()?.split("/").at(-1)));
