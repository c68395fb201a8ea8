import { test } from "vitest";
import { walkTutorial } from "./walk.ts";

test("a reader of the tutorial writes, deploys and schedules a first flow", async () => {
  await walkTutorial("tutorials/first-flow.md", {
    examples: {
      "sincere-opossum": /[a-z]+-[a-z]+/,
      "nimble-kiwi": /[a-z]+-[a-z]+/,
      "brave-otter": /[a-z]+-[a-z]+/,
    },
  });
});
