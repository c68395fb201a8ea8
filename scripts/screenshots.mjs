// npm run screenshots: pictures of every page of the web UI; with an argument only of those whose
// address has it.
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root } from "./lib/run.mjs";

const FOLDER = ".cache/screenshots";

await ensureInstalled("full");
await ensureBuilt();
const { runnerImport } = await import("vite");
const { module } = await runnerImport(join(root, "tests/browser/screenshots.ts"), {
  configFile: false,
  logLevel: "error",
  // `await using` is newer than the oldest Node this runs on.
  oxc: { target: "es2022" },
});
const taken = await module.takeScreenshots(join(root, FOLDER), process.argv[2]);
console.log(`${taken} pictures in ${FOLDER}`);
process.exit(0);
