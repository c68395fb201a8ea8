import type { OnCollision, StateDetails, StateType } from "@orchestrator/contract";
import type { ConcurrencyLimitRow } from "../../db/tables/concurrency-limits.table.ts";

/** What is known of a run and of what it depends on. */
export interface RunFacts {
  readonly id: string;
  readonly name: string;
  readonly concurrency_key: string | null;
  readonly state_type: StateType | null;
  readonly state_name: string | null;
  readonly state_timestamp: string | null;
  readonly state: string | null;
  readonly retry_type: string | null;
  readonly next_scheduled_start_time: string | null;
  readonly deadline: string | null;
  readonly deployment_id: string | null;
  readonly auto_scheduled: boolean;
  readonly run_count: number;
  readonly known_deployment_id: string | null;
  readonly deployment_name: string | null;
  readonly deployment_paused: boolean | null;
  /** When a process last asked for the runs of the deployment itself. */
  readonly deployment_served: string | null;
  readonly concurrency_options: string | null;
  readonly on_collision: OnCollision | null;
  /** Of the queue that the deployment is in now, which is for its next runs. */
  readonly home_pool_name: string | null;
  readonly schedule_id: string | null;
  readonly schedule_slug: string | null;
  readonly schedule_active: boolean | null;
  readonly schedule_overlap: string | null;
  readonly limit_id: string | null;
  readonly parameters: string;
  readonly tags: string;
  readonly queue_id: string | null;
  readonly queue_name: string | null;
  readonly queue_created: string | null;
  readonly queue_paused: boolean | null;
  readonly queue_limit: number | null;
  readonly queue_polled: string | null;
  readonly pool_id: string | null;
  readonly pool_name: string | null;
  readonly pool_paused: boolean | null;
  readonly pool_limit: number | null;
  /** When any queue of the pool was last polled. */
  readonly pool_polled: string | null;
}

/**
 * A worker of a pool: one that is online where there is one, otherwise the one that was heard last.
 */
export interface KnownWorker {
  readonly name: string;
  readonly last_heartbeat_time: string;
  readonly heartbeat_interval_seconds: number | null;
}

/** Runs that take up places, and the ids of some of them. */
export interface TakenPlaces {
  readonly count: number;
  readonly runs: readonly string[];
}

/** The slots of a limit that a run would have to have one of. */
export interface TakenSlots {
  readonly limit: ConcurrencyLimitRow;
  /** Which value of the limit's key they are for; null: the limit has no key. */
  readonly keyValue: string | null;
  readonly used: number;
  /** How many of them are held by what; null: by nobody who has said so. */
  readonly holders: readonly { readonly type: string | null; readonly slots: number }[];
  /** Some of the flow runs that hold them. */
  readonly runs: readonly string[];
  /** Why the run has no value of the limit's key. */
  readonly keyProblem?: string;
}

/** What a call of the run waits for: an event, or the time alone. */
export interface RunWait {
  readonly event: string | null;
  readonly expires: string;
}

export interface Situation {
  readonly run: RunFacts;
  readonly details: StateDetails;
  readonly now: string;
  /** Who asked for runs since then does so still. */
  readonly polledFrom: string;
  readonly worker: KnownWorker | null;
  /** Earlier runs of its schedule that have not ended, where the schedule minds that. */
  readonly earlier: readonly string[];
  readonly inQueue: TakenPlaces;
  readonly inPool: TakenPlaces;
  /** Null: its deployment has no limit that counts. */
  readonly slots: TakenSlots | null;
  /** What calls of the run wait for, some of it. */
  readonly waits: readonly RunWait[];
  /** The run has a slot of its deployment already. */
  readonly holdsSlot: boolean;
}
