// What authors say about their flows and tasks.

import type { StateType } from "@orchestrator/contract";
import type { SchemaLike } from "../parameters/parameter-schema.ts";
import type { ResultStorage } from "../results/result-storage.ts";
import type { RunContext } from "../scope/context.ts";
import type { RetryOptions } from "./retry.ts";
import type { RunName } from "./run-name.ts";

/** A state as hooks see it. */
export interface RunState {
  readonly type: StateType;
  readonly name: string;
  readonly message: string | null;
}

/** What a hook is told. */
export interface HookContext extends Omit<RunContext, "signal"> {
  readonly state: RunState;
  /** What went wrong, if anything did. */
  readonly error: Error | null;
}

/** Called after the run has gone into a state. What it throws is logged and changes nothing. */
export type Hook = (context: HookContext) => unknown;

export interface Hooks {
  readonly onRunning?: Hook | undefined;
  readonly onCompletion?: Hook | undefined;
  readonly onFailure?: Hook | undefined;
  readonly onCancellation?: Hook | undefined;
  readonly onCrashed?: Hook | undefined;
}

export interface CommonOptions<Args extends readonly unknown[]> extends RetryOptions, Hooks {
  /** @default the name of the function */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly version?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /**
   * `"report for {region}"`, or a function of the arguments. @default made up by the server, or the
   * task's name
   */
  readonly runName?: RunName<Args> | undefined;
  /** After so long it counts as failed, with a state named TimedOut. @default never */
  readonly timeoutSeconds?: number | undefined;
  /**
   * Where results are kept: a storage, or a block: `local-file-system/shared`,
   * `remote-file-system/results`. @default files below ORCHESTRATOR_HOME
   */
  readonly resultStorage?: ResultStorage | string | undefined;
}

export type OnCrash = "resume" | "fail";

export interface FlowOptions<Args extends readonly unknown[] = readonly unknown[]>
  extends CommonOptions<Args> {
  /**
   * Checks the parameters, and is the form that people fill in: a zod schema (or one like it), or a
   * JSON schema.
   */
  readonly parameters?: SchemaLike | undefined;
  /** How many of the tasks that are submitted run at once. @default 16 */
  readonly taskConcurrency?: number | undefined;
  /** Whether a run that is tried again skips the tasks that have finished. @default true */
  readonly keepResults?: boolean | undefined;
  /**
   * What becomes of a deployed run whose process, worker or machine is lost: it goes on elsewhere
   * behind its finished tasks, or it is crashed.
   * @default "resume"; "fail" where no results are stored
   */
  readonly onCrash?: OnCrash | undefined;
  /** Whether what is printed is kept with the run. @default true */
  readonly captureConsole?: boolean | undefined;
}

export interface TaskOptions<Args extends readonly unknown[] = readonly unknown[]>
  extends CommonOptions<Args> {
  /**
   * Calls with the same key have the same result: it is made once and kept. Null: not this time.
   */
  readonly cacheKey?:
    | string
    | ((...args: Args) => string | null | Promise<string | null>)
    | undefined;
  /** For how long it is kept. @default for ever */
  readonly cacheSeconds?: number | undefined;
  /** Makes the result anew and keeps that. @default false */
  readonly refreshCache?: boolean | undefined;
  /** Whether a flow run that is tried again may skip a finished call. @default as the flow says */
  readonly keepResult?: boolean | undefined;
  /**
   * Tasks, also as lists of them, that must have completed before this one starts; only for
   * `submit` and `map`.
   */
  readonly waitFor?: readonly (MustComplete | readonly MustComplete[])[] | undefined;
}

interface MustComplete {
  readonly wait: () => Promise<unknown>;
}
