// What a worker and a warm runner say to each other over the channel between them.

import type { FlowRun } from "@orchestrator/contract";

/** Variables that differ from run to run; a runner starts without them. */
export const RUN_VARIABLES = [
  "ORCHESTRATOR_FLOW_RUN_ID",
  "ORCHESTRATOR_FLOW_RUN_NAME",
  "ORCHESTRATOR_CLAIM_ID",
  "ORCHESTRATOR_PARAMETERS",
] as const;

/** To the runner: execute this run. */
export interface RunMessage {
  readonly type: "run";
  /** As it was claimed. */
  readonly record: FlowRun;
  /** Of the process, as others find it. */
  readonly infrastructurePid: string;
  /** Added to the environment for as long as the run takes. */
  readonly env: Readonly<Record<string, string>>;
  /** A line that the runner prints to both streams behind the output of the run. */
  readonly endMark: string;
}

/** A module that the runner has loaded, and when the file was last changed before. */
export interface LoadedFile {
  readonly path: string;
  readonly changedMs: number;
}

/** From the runner: modules were loaded since the last message. */
export interface LoadedMessage {
  readonly type: "loaded";
  readonly files: readonly LoadedFile[];
}

/** From the runner: the run has ended, nothing of it is left here, and another may come. */
export interface DoneMessage {
  readonly type: "done";
  /** The name of the state in which the server has the run as ended; null where it may not have. */
  readonly endedAs: string | null;
  /** Whether the run has started processes, which may go on. */
  readonly hasSpawned: boolean;
  readonly memoryBytes: number;
}

export type RunnerMessage = LoadedMessage | DoneMessage;
