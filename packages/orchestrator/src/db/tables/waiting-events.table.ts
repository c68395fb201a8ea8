/** A task run's event that came before the flow run it belongs to. */
export interface WaitingTaskRunEventRow {
  readonly event_id: string;
  readonly flow_run_id: string;
  /** The event, as the log holds it. */
  readonly body: string;
  /** When it is looked at: at once when its flow run has come, else when it is given up. */
  readonly due: string;
}
