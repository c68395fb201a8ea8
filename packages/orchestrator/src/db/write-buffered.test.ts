import { AppError } from "@orchestrator/kernel/pure";
import { expect, test } from "vitest";
import { writeBuffered } from "./write-buffered.ts";

/**
 * What is written of three workspaces, what is given back, and how it ends, where the writes of
 * some fail.
 */
async function outcomeOf(failing: Readonly<Record<string, Error>>) {
  const asked: string[] = [];
  const kept: (readonly [string, number])[] = [];
  const remembered = new Map(["a", "b", "c"].map((id, index) => [id, index]));
  const written = writeBuffered(remembered, {
    async write(workspaceId) {
      asked.push(workspaceId);
      if (failing[workspaceId] !== undefined) throw failing[workspaceId];
    },
    giveBack: (workspaceId, some) => kept.push([workspaceId, some]),
  });
  const error = await written.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { asked, kept, error };
}

const wrong = new Error("wrong");
const away = new AppError("unavailable", "The database is not available");

test.each([
  ["forgets all that is written", {}, { asked: ["a", "b", "c"], kept: [], error: null }],
  [
    "goes on where one cannot be written, and tells of it",
    { a: wrong },
    { asked: ["a", "b", "c"], kept: [["a", 0]], error: wrong },
  ],
  [
    "tells of the first failure and keeps all that failed",
    { a: wrong, c: away },
    {
      asked: ["a", "b", "c"],
      kept: [
        ["a", 0],
        ["c", 2],
      ],
      error: wrong,
    },
  ],
  [
    "asks a database that is away once, and begins with another the next time",
    { a: away, b: away, c: away },
    {
      asked: ["a"],
      kept: [
        ["b", 1],
        ["c", 2],
        ["a", 0],
      ],
      error: away,
    },
  ],
])("a pass over what is remembered %s", async (_title, failing, outcome) => {
  expect(await outcomeOf(failing)).toEqual(outcome);
});
