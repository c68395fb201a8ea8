// A task run as the server hears of it: an event for each state, and no request of its own.

import type { ExecutorEvent, StateDetails, StateType } from "@orchestrator/contract";
import { newId } from "../ids.ts";
import { storableText } from "../report/storable-text.ts";
import type { FlowScope } from "../scope/flow-scope.ts";
import { nextMicros, timestampOf } from "../time.ts";

const MICROS_PER_SECOND = 1_000_000;
const MAX_LABEL = 10_000;

export interface ReportedTask {
  readonly id: string;
  readonly name: string;
  readonly taskKey: string;
  readonly dynamicKey: string;
  /** What does not change: tags, inputs, policy. It is told with the first state. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface ReportedState {
  readonly type: StateType;
  readonly name: string;
  readonly message?: string;
  readonly details?: StateDetails;
}

const ENDS: ReadonlySet<StateType> = new Set(["COMPLETED", "FAILED", "CANCELLED", "CRASHED"]);

export class TaskRunReporter {
  readonly #flow: FlowScope;
  #task: ReportedTask;
  #last: { readonly id: string; readonly type: StateType; readonly micros: number } | null = null;
  #runCount = 0;
  #startMicros: number | null = null;
  #runMicros = 0;

  constructor(flow: FlowScope, task: ReportedTask) {
    this.#flow = flow;
    this.#task = task;
  }

  /** Its name may depend on arguments that were not there when it was announced. */
  rename(name: string): void {
    this.#task = { ...this.#task, name };
  }

  tell(state: ReportedState): void {
    const event = this.eventOf(state);
    if (event !== null) this.#flow.session?.events.push(event);
  }

  /** The event of the new state, for the caller to send; null without a server. */
  eventOf(state: ReportedState): ExecutorEvent | null {
    if (this.#flow.session === null) return null;
    const event = this.#eventOf(state, nextMicros());
    const { claim } = this.#flow;
    return claim === null ? event : { ...event, claim };
  }

  #eventOf(state: ReportedState, micros: number): ExecutorEvent {
    const last = this.#last;
    if (last?.type === "RUNNING") this.#runMicros += micros - last.micros;
    if (state.type === "RUNNING") {
      this.#runCount += 1;
      this.#startMicros ??= micros;
    }
    const id = newId();
    const occurred = timestampOf(micros);
    this.#last = { id, type: state.type, micros };
    const { id: taskRunId } = this.#task;
    const name = storableText(this.#task.name);
    const { type, details = {} } = state;
    const message = state.message === undefined ? null : storableText(state.message);
    return {
      id,
      occurred,
      event: `orchestrator.task-run.${state.name}`,
      follows: last?.id ?? null,
      resource: {
        "orchestrator.resource.id": `orchestrator.task-run.${taskRunId}`,
        "orchestrator.resource.name": name,
        "orchestrator.run-count": String(this.#runCount),
        "orchestrator.state-message": (message ?? "").slice(0, MAX_LABEL),
        "orchestrator.state-name": state.name,
        "orchestrator.state-timestamp": occurred,
        "orchestrator.state-type": type,
        "orchestrator.orchestration": "client",
      },
      related: [...this.#flow.related],
      payload: {
        intended: { from: last?.type ?? null, to: type },
        initial_state: last === null ? null : { type: last.type },
        validated_state: { type, name: state.name, message, state_details: details, data: null },
        task_run: { name, ...this.#runOf(state, occurred, last === null) },
      },
    };
  }

  #runOf({ type, details }: ReportedState, occurred: string, isFirst: boolean) {
    const { taskKey, dynamicKey, facts } = this.#task;
    return {
      task_key: taskKey,
      dynamic_key: dynamicKey,
      ...(isFirst && { ...facts, expected_start_time: occurred }),
      ...(details?.cache_key != null && { cache_key: details.cache_key }),
      ...(details?.scheduled_time != null && { next_scheduled_start_time: details.scheduled_time }),
      run_count: this.#runCount,
      ...(this.#startMicros !== null && { start_time: timestampOf(this.#startMicros) }),
      ...(ENDS.has(type) && { end_time: occurred }),
      total_run_time: this.#runMicros / MICROS_PER_SECOND,
    };
  }
}
