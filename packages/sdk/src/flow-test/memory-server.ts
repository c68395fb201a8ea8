// As much of a server as one run needs, in memory.

import type { ExecutorEvent, FlowRun, LogCreate, State } from "@orchestrator/contract";
import { errorSummary } from "../errors.ts";
import { packValue } from "../results/values.ts";
import { msUntil, sleepOrAbort, timestampIn, withClock } from "../time.ts";
import type { Fake } from "./fakes.ts";
import { MemoryRun, type NewMemoryRun } from "./memory-run.ts";
import { MemoryWaits, type SentEvent } from "./memory-waits.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** What a paused run asks; the schema is null where it only waits. */
export interface Question {
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly description: string | null;
}

/** The answer of a person who gives none. */
export const NO_ANSWER: unique symbol = Symbol("no answer");

/** Answers in their order, or what makes them. */
export type Answers = readonly unknown[] | ((question: Question) => unknown);

export interface MemoryServerOptions {
  readonly time: VirtualTime;
  readonly fakes: readonly Fake[];
  readonly answers: Answers;
  readonly events: readonly SentEvent[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly blocks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What goes wrong outside of the flow fails the test. */
  readonly onFailure: (error: Error) => void;
}

export class MemoryServer {
  readonly runs = new Map<string, MemoryRun>();
  readonly events = new Map<string, ExecutorEvent>();
  readonly logs: LogCreate[] = [];
  readonly artifacts: object[] = [];
  readonly questions: Question[] = [];
  readonly variables: Map<string, unknown>;
  readonly waits: MemoryWaits;
  readonly options: MemoryServerOptions;
  #answered = 0;

  constructor(options: MemoryServerOptions) {
    this.options = options;
    this.waits = new MemoryWaits(options.events);
    this.variables = new Map(Object.entries(options.variables));
  }

  addRun(run: NewMemoryRun): MemoryRun {
    const known = [...this.runs.values()].find(
      ({ idempotencyKey: key }) => key !== null && key === run.idempotency_key,
    );
    if (known !== undefined) return known;
    const added = new MemoryRun(run, (paused) => this.#inTime(() => this.#answer(paused)));
    this.runs.set(added.id, added);
    return added;
  }

  read(id: string): MemoryRun {
    const run = this.runs.get(id);
    if (run === undefined) throw new Error(`There is no run ${id} in this test`);
    return run;
  }

  /** Of several runs the last comes first. */
  childrenOf(taskRunIds: readonly string[]): FlowRun[] {
    const records = [...this.runs.values()].map(({ record }) => record).toReversed();
    return records.filter(({ parent_task_run_id: id }) => id != null && taskRunIds.includes(id));
  }

  /** Stores an event with the result that it carries. */
  take(event: ExecutorEvent): void {
    const { journal } = event;
    if (!this.events.has(event.id)) this.events.set(event.id, event);
    const role = event.related?.find((one) => one["orchestrator.resource.role"] === "flow-run");
    const id = role?.["orchestrator.resource.id"]?.split(".").at(-1);
    if (journal == null || id === undefined) return;
    const finished = timestampIn(0);
    this.read(id).journal.set(journal.key, { ...journal, task_run_id: null, finished });
  }

  /** A run of a deployment is what its fake makes of the parameters. */
  startDeployment(name: string, run: NewMemoryRun): MemoryRun {
    const before = this.runs.size;
    const added = this.addRun({ ...run, deployment_id: name });
    if (this.runs.size > before) this.#inTime(() => this.#runFake(name, added));
    return added;
  }

  fakeOf(name: string): Fake | undefined {
    return this.options.fakes.find((one) => one.name === name);
  }

  async #runFake(name: string, run: MemoryRun): Promise<void> {
    run.force({ type: "RUNNING" });
    try {
      const packed = packValue(await this.fakeOf(name)?.body(run.record.parameters));
      const value = packed?.toString("base64");
      const entry = { key: "return", fingerprint: null, task_run_id: null };
      if (value !== undefined) {
        run.journal.set("return", { ...entry, value, finished: timestampIn(0) });
      }
      run.force({ type: "COMPLETED" });
    } catch (error) {
      run.force({ type: "FAILED", message: errorSummary(error) });
    }
  }

  async #answer(run: MemoryRun): Promise<void> {
    const { state } = run;
    const question = questionOf(run, state);
    this.questions.push(question);
    const answer = await this.#nextAnswer(question);
    if (answer === NO_ANSWER) {
      await sleepOrAbort(msUntil(state.state_details.pause_timeout));
      const message = "The flow run was paused and never resumed";
      if (run.state === state) run.force({ type: "FAILED", message });
      return;
    }
    const { response } = state.state_details.run_input_keyset ?? {};
    if (response !== undefined) run.inputs.set(response, JSON.stringify(answer));
    if (state.state_details.pause_reschedule !== true) run.force({ type: "RUNNING" });
    else {
      run.update({ empirical_policy: { ...run.record.empirical_policy, resuming: true } });
      run.force({ type: "SCHEDULED", name: "Resuming" });
    }
  }

  /** A pause without a question goes on unless a function says otherwise. */
  async #nextAnswer(question: Question): Promise<unknown> {
    const { answers } = this.options;
    if (typeof answers === "function") return answers(question);
    if (question.schema === null) return undefined;
    const at = this.#answered;
    this.#answered += 1;
    return at < answers.length ? answers[at] : NO_ANSWER;
  }

  #inTime(work: () => Promise<void>): void {
    const { time, onFailure } = this.options;
    void withClock(time.clockOf(this), work).catch((error: unknown) => onFailure(error as Error));
  }
}

function questionOf({ inputs }: MemoryRun, { state_details }: State): Question {
  const { schema, description } = (state_details.run_input_keyset ?? {}) as Readonly<
    Record<string, string | undefined>
  >;
  const text = schema === undefined ? undefined : inputs.get(schema);
  return {
    schema: text === undefined ? null : (JSON.parse(text) as Record<string, unknown>),
    description: (description === undefined ? undefined : inputs.get(description)) ?? null,
  };
}
