#!/usr/bin/env node
// The `orchestrator` command. It runs what the build made; without a build it says how to make one.
import { existsSync } from "node:fs";

const main = new URL("../dist/bundle/main.js", import.meta.url);
if (existsSync(main)) {
  const { runCommandLine } = await import(main.href);
  await runCommandLine(process.argv.slice(2));
} else {
  process.stderr.write("orchestrator: the program is not built yet: run `npm run build` first\n");
  process.exitCode = 1;
}
