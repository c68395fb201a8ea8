/** A background task run that was handed to somebody. */
export interface BackgroundTaskDispatchRow {
  readonly task_run_id: string;
  /** The state it was in; in another one it is offered anew. */
  readonly state_id: string;
  /** Tells this offer from a later one. */
  readonly offer_id: string;
  /** When it is offered to others unless it was accepted by then; null once it was. */
  readonly expires: string | null;
}

/** A connection of somebody who runs background tasks. */
export interface TaskWorkerRow {
  readonly id: string;
  readonly identifier: string;
  /** A JSON array. */
  readonly task_keys: string;
  readonly timestamp: string;
  readonly expires: string;
}
