// What a worker starts to execute many runs of one flow: `node warm-runner.js` with
// ORCHESTRATOR_ENTRYPOINT in the environment, in the deployment's folder, with a channel over which
// the runs come.

import { serveRuns } from "./runner/serve-runs.ts";

// A worker that is gone reads no longer what is printed here; the run goes on.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const entrypoint = process.env["ORCHESTRATOR_ENTRYPOINT"];
if (entrypoint === undefined || process.send === undefined) {
  process.stderr.write("orchestrator: a runner needs ORCHESTRATOR_ENTRYPOINT and a worker\n");
  process.exit(2);
}
serveRuns(entrypoint);
