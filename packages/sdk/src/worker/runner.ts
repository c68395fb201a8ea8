// What a worker needs of whatever carries jobs out: processes of this machine, containers, a
// cluster.

import type { FlowRun, JsonObject } from "@orchestrator/contract";
import type { PullPlan } from "./pull-plan.ts";

/**
 * How jobs of a pool are described: fields with `{{ placeholders }}`, and the schema of what fills
 * them.
 */
export interface JobTemplate {
  readonly job_configuration: JsonObject;
  readonly variables: JsonObject;
}

/** One run, ready to be started. */
export interface WorkerJob {
  readonly flowRunId: string;
  readonly flowRunName: string;
  /** The filled `job_configuration`. */
  readonly configuration: JsonObject;
  /**
   * A line for the shell, or a program with its arguments; null: execute the flow at the
   * entrypoint.
   */
  readonly command: string | readonly string[] | null;
  /** What every job finds in its environment, and what its configuration adds to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the flow lies, as its deployment says. */
  readonly folder: string | null;
  /** Whether the job tells the server of its states itself. */
  readonly isSelfReporting: boolean;
  /** What brings the flow into the folder first; null: it lies there already. */
  readonly pull?: PullPlan | null;
  /** The run under the claim of this worker; null where nobody has claimed it. */
  readonly claimed: FlowRun | null;
}

export type OutputStream = "stdout" | "stderr";
export type OnLine = (stream: OutputStream, text: string) => void;

/** How what was started came to its end. */
export interface JobEnd {
  /** Null when it was ended by a signal, or when nobody knows. */
  readonly code: number | null;
  readonly signal: string | null;
  /** What else is known, such as that it ran out of memory. */
  readonly note?: string;
  /** The name of the state in which the server has its run as ended, where the job has said so. */
  readonly endedAs?: string;
}

/** Where a job is. */
export interface JobPlace {
  /** Under which others find it: `infrastructure_pid`. */
  readonly identifier: string;
  /** Of the first process, where the job is one of this machine. */
  readonly pid: number | null;
  /** Whether the job reports itself where it is. */
  readonly isReported?: boolean;
}

/**
 * Told as soon as it is known and before the job does anything: a worker may be killed in the next
 * moment.
 */
export type OnPlaced = (place: JobPlace) => void;

export interface RunningJob extends JobPlace {
  /** Resolves when nothing of the job is left and all its output was handed on. */
  readonly ended: Promise<JobEnd>;
  /** Asks it to end, and after the grace ends it. */
  readonly stop: (graceSeconds: number) => void;
  /** Ends it now. */
  readonly kill: () => void;
}

/** Starts the jobs of one type of pool. */
export interface JobRunner {
  readonly type: string;
  /** For pools that have none. */
  readonly template: JobTemplate;
  /**
   * Values for variables that are left to the template's defaults, where the worker knows better
   * ones.
   */
  readonly betterDefaults?: (defaults: JsonObject) => Promise<JsonObject>;
  /** Whether pull steps can be run: its jobs see the folders of the worker. */
  readonly pullsCode?: boolean;
  readonly start: (job: WorkerJob, onLine: OnLine, onPlaced: OnPlaced) => Promise<RunningJob>;
  /** Ends what waits for jobs to come. */
  readonly close?: () => void;
  /**
   * Whether what a worker that is gone was about to start has begun. Where nobody can say, it may
   * have.
   */
  readonly hasBegun?: (identifier: string) => Promise<boolean>;
  /** Ends what a worker that is gone has started, where that is not a process of this machine. */
  readonly takeDown?: (identifier: string) => Promise<void>;
}

/** The job cannot be started as it is described; the message says why. */
export class JobError extends Error {
  override readonly name = "JobError";
}
