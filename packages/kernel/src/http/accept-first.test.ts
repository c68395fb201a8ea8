import { EventEmitter } from "node:events";
import type { Server } from "node:net";
import { expect, test } from "vitest";
import { acceptFirst } from "./accept-first.ts";

function accepting() {
  const server = new EventEmitter();
  let now = 0;
  let end: (() => void) | null = null;
  const after = acceptFirst(
    server as unknown as Server,
    () => now,
    (work) => {
      end = work;
    },
  );
  let isDone = false;
  after(() => {
    isDone = true;
  });
  return {
    connect: () => server.emit("connection"),
    /** Whether work has begun by the end of a turn that took so long. */
    endTurn: (ms: number): boolean => {
      now += ms;
      const ending = end;
      end = null;
      ending?.();
      return isDone;
    },
  };
}

test("work continues after the turn when no client connects", () => {
  expect(accepting().endTurn(1)).toBe(true);
});

test("work waits while others connect, and no longer than a few milliseconds", () => {
  const { connect, endTurn } = accepting();
  for (let n = 0; n < 10; n += 1) {
    connect();
    expect(endTurn(1)).toBe(false);
  }
  connect();
  expect(endTurn(1)).toBe(true);
  const brief = accepting();
  brief.connect();
  expect(brief.endTurn(1)).toBe(false);
  expect(brief.endTurn(1)).toBe(true);
});
