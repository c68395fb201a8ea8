import { test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { walkTutorial } from "./walk.ts";

test("a reader of the tutorial watches a shop, breaks it and gets an alert", async () => {
  await walkTutorial("tutorials/first-monitor.md", {
    lasting: /^node (?:shop|inbox)\.mjs$/,
    examples: { "39wdsjqzQZrrE3Bpim9zKGHB": /\S+/ },
    replaced: { "8090": String(await freePort()), "9000": String(await freePort()) },
  });
});
