/** The result of a call that a flow run has finished. */
export interface JournalEntryRow {
  /** By the server's clock. */
  readonly created: string;
  readonly flow_run_id: string;
  /** The place of the call in the run. */
  readonly key: string;
  /** Of the arguments; null where they cannot be compared. */
  readonly fingerprint: string | null;
  readonly task_run_id: string | null;
  /** By the clock of its executor. */
  readonly finished: string;
  /** In the encoding of the executor, as base64. */
  readonly value: string;
}
