import type { ExecutorClaim } from "@orchestrator/contract";
import type { ReportSession } from "../report/session.ts";
import type { ResultStorage } from "../results/result-storage.ts";
import type { RunResults } from "../results/run-results.ts";
import type { SdkSettings } from "../settings.ts";

/** What all parts of one execution of a flow run share. */
export interface FlowScope {
  readonly settings: SdkSettings;
  /** Null when the run is not reported to a server. */
  readonly session: ReportSession | null;
  /** Under which the run is executed; null where it was not claimed. */
  readonly claim: ExecutorClaim | null;
  /** Whether an earlier execution, or attempt, of the run has begun. */
  readonly isRepeated: boolean;
  /** Null when nothing is stored for another execution. */
  readonly results: RunResults | null;
  readonly storage: ResultStorage;
  /**
   * What events about task runs name besides them: the flow run, its flow, its deployment, its
   * tags.
   */
  readonly related: readonly Readonly<Record<string, string>>[];
  /** Which task run an object came from. */
  readonly origins: WeakMap<object, string>;
  /**
   * What the run does not end before: tasks that were submitted and have not been waited for, and a
   * look that is under way.
   */
  readonly pending: Set<Promise<unknown>>;
  /** Failures that nobody has looked at. */
  readonly unseenFailures: Set<Error>;
  /**
   * Those that wait to be resumed, by their keys: what becomes of the run then they see themselves.
   */
  readonly pauses: Set<string>;
  /** Calls that wait for an event or a time, by their keys: from where they were called. */
  readonly waits: Map<string, string>;
  /** Tasks and flows that are under way, by where calls from within them are counted. */
  readonly running: Set<string>;
  /**
   * Looks what has become of the run and of those that it is within; if it is not to go on, its
   * signal is aborted by then.
   */
  readonly look: () => Promise<void>;
  readonly isResultKept: boolean;
}

/** While it is under way, calls that wait for something else do not end the process. */
export async function whileRunning<Value>(
  flow: FlowScope | null,
  path: string,
  work: () => Promise<Value>,
): Promise<Value> {
  flow?.running.add(path);
  try {
    return await work();
  } finally {
    flow?.running.delete(path);
  }
}
