import type { WaitOutcome } from "@orchestrator/contract";

/** What a call of a flow waits for. */
export interface FlowRunWaitRow {
  readonly flow_run_id: string;
  /** The place of the call in the run. */
  readonly key: string;
  readonly created: string;
  readonly expires: string;
  /** Of the run and task, in which it began. */
  readonly attempt: number;
  /** Pattern of the event's name; null where only the time is waited for. */
  readonly event: string | null;
  /** `match` and `match_related` as JSON. */
  readonly pattern: string;
  /** Where the event log ended when the wait began. */
  readonly after_position: number;
  /** The exact name, or `*`; null once it has ended, and where only the time is waited for. */
  readonly lookup_name: string | null;
  /** Hash of one label that must have one value; empty where the pattern has no such label. */
  readonly anchor: string;
  readonly outcome: WaitOutcome | null;
  readonly ended: string | null;
  readonly event_id: string | null;
  /** Since when an event has ended it without its run having read that. */
  readonly unread_since: string | null;
}

/** An event that has ended waits. */
export interface AwaitedEventRow {
  readonly event_id: string;
  readonly created: string;
  readonly body: string;
}
