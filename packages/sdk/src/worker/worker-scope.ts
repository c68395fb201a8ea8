import type { ReportSession } from "../report/session.ts";
import type { JobRecords } from "./job-records.ts";
import type { CodeCache } from "./pull/code-cache.ts";
import type { JobRunner } from "./runner.ts";

/** What everything that a worker does goes by. */
export interface WorkerScope {
  readonly session: ReportSession;
  readonly runner: JobRunner;
  readonly poolName: string;
  readonly workerName: string;
  /** How long a job that is told to end may take, unless it says so itself. */
  readonly graceSeconds: number;
  /** Whether runs whose job the worker had to end are scheduled again. */
  readonly reschedules: boolean;
  readonly notes: JobRecords;
  /** Code that was pulled. */
  readonly code: CodeCache;
  /** No more jobs are started. */
  readonly stopping: AbortSignal;
  /** Jobs that still run are told to end. */
  readonly ending: AbortSignal;
  /** Jobs that still run are killed, and nobody waits for the server any more. */
  readonly killing: AbortSignal;
  /** Says what the worker does, to people. */
  readonly tell: (text: string) => void;
  /** Shows a line of a job; null where nobody wants to see it. */
  readonly show: ((flowRunName: string, text: string) => void) | null;
}
