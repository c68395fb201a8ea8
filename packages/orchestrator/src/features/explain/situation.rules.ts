import type { StateType } from "@orchestrator/contract";

/** What is known of a run and of what it depends on. */
export interface RunFacts {
  readonly id: string;
  readonly state_type: StateType | null;
  readonly state_name: string | null;
  readonly state_timestamp: string | null;
  readonly retry_type: string | null;
  readonly next_scheduled_start_time: string | null;
  readonly deadline: string | null;
  readonly deployment_id: string | null;
  readonly auto_scheduled: boolean;
  readonly run_count: number;
  readonly known_deployment_id: string | null;
  readonly deployment_name: string | null;
  readonly deployment_paused: boolean | null;
  readonly deployment_polled: string | null;
  readonly schedule_id: string | null;
  readonly schedule_slug: string | null;
  readonly schedule_active: boolean | null;
  readonly schedule_overlap: string | null;
  readonly limit_id: string | null;
  readonly limit_name: string | null;
  readonly limit_slots: number | null;
  readonly limit_active: boolean | null;
  readonly limit_key: string | null;
  readonly parameters: string;
  readonly tags: string;
  readonly queue_id: string | null;
  readonly queue_name: string | null;
  readonly queue_paused: boolean | null;
  readonly queue_limit: number | null;
  readonly queue_polled: string | null;
  readonly pool_id: string | null;
  readonly pool_name: string | null;
  readonly pool_paused: boolean | null;
  readonly pool_limit: number | null;
}

/** The worker of a pool that was heard last. */
export interface LastWorker {
  readonly id: string;
  readonly name: string;
  readonly last_heartbeat_time: string;
  readonly heartbeat_interval_seconds: number | null;
}

export interface Situation {
  readonly run: RunFacts;
  readonly now: string;
  readonly lastWorker: LastWorker | null;
  /** Earlier runs of its schedule that have not ended, where the schedule minds that. */
  readonly earlier: readonly string[];
  readonly inQueue: readonly string[];
  readonly inPool: readonly string[];
  readonly holders: readonly string[];
  /** Which value of the limit's key they hold slots for; null: the limit has no key. */
  readonly keyValue: string | null;
}
