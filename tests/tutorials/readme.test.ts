import { test } from "vitest";
import { walkTutorial } from "./walk.ts";

test("the two commands of the README start a server and run a first job", async () => {
  await walkTutorial("../README.md");
});
