// npm start: installs and builds what is missing, then runs the server in this process, and a
// worker beside it.
import { ensureBuilt } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";

const PARENT_LOOK_MS = 500;

await ensureInstalled("runtime");
await ensureBuilt();
stopWithParent();
process.argv.splice(2, 0, "server", "start", "--worker");
await import("../packages/cli/bin/orchestrator.mjs");

/**
 * npm passes a signal on to the shell between us, which ends without telling; the server must not
 * be left behind.
 */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_LOOK_MS);
  watch.unref();
}
