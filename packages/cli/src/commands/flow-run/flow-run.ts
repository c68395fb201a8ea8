import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const deleteModule = () => import("./delete.ts");
const execute = () => import("./execute.ts");
const explain = () => import("./explain.ts");
const inspect = () => import("./inspect.ts");
const logs = () => import("./logs.ts");
const ls = () => import("./ls.ts");
const rerun = () => import("./rerun.ts");
const watch = () => import("./watch.ts");

export const FLOW_RUN: readonly Word[] = [
  word("ls", "List flow runs, the latest first", async () => (await ls()).listFlowRunsCommand()),
  word("inspect", "Show everything about a flow run", async () =>
    (await inspect()).inspectFlowRunCommand(),
  ),
  word("explain", "Say why a flow run is not running, and what to do about it", async () =>
    (await explain()).explainFlowRunCommand(),
  ),
  word("logs", "Show the log lines of a flow run", async () => (await logs()).flowRunLogsCommand()),
  word("watch", "Follow a flow run to its end: states, tasks and log lines", async () =>
    (await watch()).watchFlowRunCommand(),
  ),
  word("cancel", "Cancel flow runs", async () => (await change()).cancelFlowRunCommand()),
  word("resume", "Let a paused flow run go on", async () =>
    (await change()).resumeFlowRunCommand(),
  ),
  word("retry", "Run a flow run that has ended once more", async () =>
    (await change()).retryFlowRunCommand(),
  ),
  word("rerun", "Create a run that reuses results of a flow run", async () =>
    (await rerun()).rerunFlowRunCommand(),
  ),
  word("delete", "Delete flow runs with their task runs and logs", async () =>
    (await deleteModule()).deleteFlowRunsCommand(),
  ),
  word("execute", "Execute a flow run in this process, as a worker would", async () =>
    (await execute()).executeFlowRunCommand(),
  ),
];
