// npm start: installs and builds what is missing, then runs the server in this process.
import { ensureBuilt } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";

await ensureInstalled("runtime");
await ensureBuilt();
process.argv.splice(2, 0, "server", "start");
await import("../packages/cli/bin/orchestrator.mjs");
