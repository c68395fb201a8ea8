// A command of the shell as a flow: its output are log lines of the run, its exit code says how the
// run ended.

import { type Flow, type FlowRunInfo, flow, getRunContext } from "@orchestrator/sdk";
import { runnerOf } from "@orchestrator/sdk/worker";

export interface CommandFlowOptions {
  readonly name: string;
  readonly command: string;
  readonly tags: readonly string[];
  readonly runName?: string;
  readonly retries?: number;
  readonly retryDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  /** Whether what it prints is kept with the run. */
  readonly isOutputKept: boolean;
  readonly onStart?: (run: FlowRunInfo) => void;
}

/** The command did not end well. Where that was seen is of no use to anybody. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly #code: number;

  constructor(message: string, code: number) {
    super(message);
    this.stack = `${this.name}: ${message}\n    at node:child_process`;
    this.#code = code;
  }

  /** What the process may end with that stood for it. */
  get code(): number {
    return this.#code;
  }
}

/** A run that is cancelled has so long to end by itself. */
const GRACE_SECONDS = 8;
const TAIL_LINES = 20;
const TAIL_CHARACTERS = 2000;
const FAILED = 1;

export function commandFlow(options: CommandFlowOptions): Flow<[], void> {
  const { name, command, tags, runName, retries, retryDelaySeconds, timeoutSeconds } = options;
  const attempts: Attempts = new Map();
  return flow(
    {
      name,
      tags,
      description: `Runs \`${command}\``,
      captureConsole: options.isOutputKept,
      ...(runName !== undefined && { runName: () => runName }),
      ...(retries !== undefined && { retries }),
      ...(retryDelaySeconds !== undefined && { retryDelaySeconds }),
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    },
    () => execute(options, attempts),
  );
}

/**
 * What is left of earlier attempts of runs: one that took too long may not have ended when the next
 * is to begin.
 */
type Attempts = Map<string, Promise<unknown>>;

async function execute(
  { command, onStart, isOutputKept }: CommandFlowOptions,
  attempts: Attempts,
): Promise<void> {
  const { flowRun, signal } = getRunContext();
  const runner = runnerOf("process");
  if (flowRun === null || runner === undefined) throw new Error("There is no run");
  await attempts.get(flowRun.id);
  signal.throwIfAborted();
  onStart?.(flowRun);
  const tail: string[] = [];
  const job = {
    flowRunId: flowRun.id,
    flowRunName: flowRun.name,
    configuration: {},
    command,
    env: { ORCHESTRATOR_FLOW_RUN_ID: flowRun.id, ORCHESTRATOR_FLOW_RUN_NAME: flowRun.name },
    folder: process.cwd(),
    isSelfReporting: false,
    claimed: null,
  };
  const onLine = (stream: "stdout" | "stderr", text: string): void => {
    tail.push(text);
    if (tail.length > TAIL_LINES) tail.shift();
    if (stream === "stdout") console.log("%s", text);
    else console.warn("%s", text);
  };
  // Nobody clears up behind a command line, so nobody needs to know the place.
  const running = await runner.start(job, onLine, () => {});
  attempts.set(flowRun.id, running.ended);
  const stop = (): void => running.stop(GRACE_SECONDS);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const { code, signal: killer } = await running.ended;
  attempts.delete(flowRun.id);
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  if (code === 0) return;
  const how = code === null ? `was ended by ${killer ?? "a signal"}` : `exited with code ${code}`;
  const lines = isOutputKept ? tail.join("\n").slice(-TAIL_CHARACTERS).trim() : "";
  const message = `The command ${how}${lines === "" ? "" : `; its last lines:\n${lines}`}`;
  throw new CommandFailed(message, code ?? FAILED);
}
