import { expect, test } from "vitest";
import { followToEnd } from "./follow-logs.ts";

const nobody = new AbortController().signal;
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

test("lines are followed until the run has ended", async () => {
  const seen: string[] = [];
  await followToEnd(
    {
      async follow(ended, signal) {
        await aborted(ended);
        seen.push(signal.aborted ? "left" : "read to the end");
      },
      untilEnded: () => Promise.resolve(),
    },
    nobody,
  );
  expect(seen).toEqual(["read to the end"]);
});

test("lines are not followed any further once nobody can say whether the run has ended", async () => {
  let left = Promise.resolve();
  const watching = followToEnd(
    {
      follow(_, signal) {
        left = aborted(signal);
        return left;
      },
      untilEnded: () => Promise.reject(new Error("it was deleted")),
    },
    nobody,
  );
  await expect(watching).rejects.toThrow("it was deleted");
  await left;
});

test("the end is not waited for once lines cannot be followed", async () => {
  const watching = followToEnd(
    { follow: () => Promise.reject(new Error("refused")), untilEnded: aborted },
    nobody,
  );
  await expect(watching).rejects.toThrow("refused");
});
