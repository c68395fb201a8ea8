import { test } from "vitest";
import { walkTutorial } from "./walk.ts";

// It takes seconds, as a machine that is lost is noticed by the heartbeats that it misses.
test("a reader of the tutorial loses a machine, and the flow goes on on another one", async () => {
  await walkTutorial("tutorials/durable-in-ten-minutes.md", { lasting: /worker start --pool/ });
});
