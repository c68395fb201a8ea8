// A flow run as a server has it, in memory: its state, its inputs, and its journal.

import type {
  FlowRun,
  OrchestrationResult,
  SetState,
  State,
  StateCreate,
  Static,
  StoredJournalEntry,
} from "@orchestrator/contract";
import { newId } from "../ids.ts";
import { timestampIn } from "../time.ts";

type Proposal = Static<typeof SetState>;

const NAMES: Readonly<Record<string, string>> = {
  SCHEDULED: "Scheduled",
  PENDING: "Pending",
  RUNNING: "Running",
  COMPLETED: "Completed",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
  CRASHED: "Crashed",
  PAUSED: "Paused",
  CANCELLING: "Cancelling",
};

export interface NewMemoryRun {
  readonly flow_id: string;
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly deployment_id?: string | null;
  readonly parent_task_run_id?: string | null;
  readonly tags?: readonly string[];
  readonly idempotency_key?: string | null;
}

export class MemoryRun {
  readonly id = newId();
  readonly inputs = new Map<string, string>();
  readonly journal = new Map<string, StoredJournalEntry>();
  readonly idempotencyKey: string | null;
  readonly #onPaused: (run: MemoryRun) => void;
  readonly #passedPauses = new Set<string>();
  #fields: Partial<FlowRun>;
  #state: State;
  #changed: () => void = () => {};
  #change: Promise<void> = Promise.resolve();

  constructor(run: NewMemoryRun, onPaused: (run: MemoryRun) => void) {
    const { parameters, tags = [], idempotency_key = null, ...fields } = run;
    this.#onPaused = onPaused;
    this.idempotencyKey = idempotency_key;
    this.#state = stateOf({ type: "SCHEDULED" });
    this.#fields = {
      labels: {},
      run_count: 0,
      empirical_policy: {},
      infrastructure_pid: null,
      deployment_id: null,
      ...fields,
      tags: [...tags],
      // What JSON cannot carry is for the flow's schema to refuse.
      parameters: parameters as Record<string, never>,
    };
    this.#announce();
  }

  get record(): FlowRun {
    const state = this.#state;
    const { type: state_type, name: state_name } = state;
    return { id: this.id, ...this.#fields, state, state_type, state_name } as FlowRun;
  }

  get state(): State {
    return this.#state;
  }

  /** Resolves when the run enters another state. */
  get change(): Promise<void> {
    return this.#change;
  }

  update(fields: Partial<FlowRun>): void {
    this.#fields = { ...this.#fields, ...fields };
  }

  force(state: StateCreate): void {
    this.#state = stateOf(state);
    this.#changed();
    this.#announce();
  }

  propose({ state, force }: Proposal): OrchestrationResult {
    const { type, state_details = {} } = state;
    if (type === "PAUSED") {
      const key = state_details.pause_key ?? newId();
      if (this.#state.type !== "RUNNING" || this.#passedPauses.has(key)) {
        return this.#answer("REJECT", "The run has passed this pause point already");
      }
      this.#passedPauses.add(key);
      this.force(state);
      this.#onPaused(this);
      return this.#answer("ACCEPT");
    }
    // As a server whose policy allows another attempt: the SDK forces the last failure.
    if (type === "FAILED" && force !== true) {
      const { claim_id = null } = state_details;
      this.force({ type: "SCHEDULED", name: "AwaitingRetry", state_details: { claim_id } });
      return this.#answer("REJECT", "The run is tried again");
    }
    if (type === "RUNNING") this.#countExecution();
    this.force(state);
    return this.#answer("ACCEPT");
  }

  #countExecution(): void {
    const { run_count = 0, empirical_policy = {} } = this.#fields;
    const isResumed = empirical_policy.resuming === true;
    this.update({
      run_count: isResumed ? run_count : run_count + 1,
      empirical_policy: { ...empirical_policy, resuming: false },
    });
  }

  #answer(status: "ACCEPT" | "REJECT", reason = ""): OrchestrationResult {
    const type = status === "ACCEPT" ? "accept_details" : "reject_details";
    return { status, state: this.#state, details: { type, reason } };
  }

  #announce(): void {
    this.#change = new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}

function stateOf({ type, name, message, state_details = {} }: StateCreate): State {
  return {
    id: newId(),
    type,
    name: name ?? NAMES[type] ?? type,
    timestamp: timestampIn(0),
    message: message ?? null,
    data: null,
    state_details,
  };
}
