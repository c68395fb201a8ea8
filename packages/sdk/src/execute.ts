// What a worker starts, in a process of its own: `node execute.js` with ORCHESTRATOR_FLOW_RUN_ID in
// the environment, in the deployment's folder. It ends with 0 when there is nothing left to tell
// about the run, else with 1.

import { runFlowRun } from "./entry/run-flow-run.ts";

// A worker that is gone reads no longer what is printed here; the run goes on.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const flowRunId = process.env["ORCHESTRATOR_FLOW_RUN_ID"];
const entrypoint = process.env["ORCHESTRATOR_ENTRYPOINT"];

if (flowRunId === undefined || flowRunId === "") {
  process.stderr.write("orchestrator: ORCHESTRATOR_FLOW_RUN_ID names no flow run to execute\n");
  process.exit(2);
}
try {
  await runFlowRun(flowRunId, entrypoint === undefined ? {} : { entrypoint });
  process.exit(0);
} catch (error) {
  process.stderr.write(`orchestrator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
