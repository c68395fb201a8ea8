// npm run bench: installs and builds what is missing, then runs the benchmarks.
import { ensureBuilt } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { runNode } from "./lib/run.mjs";

await ensureInstalled("full");
await ensureBuilt();
process.exitCode = await runNode(["bench/run.mjs", ...process.argv.slice(2)]);
