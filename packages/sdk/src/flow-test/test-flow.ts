// A flow executed in memory: by the engine that executes it everywhere, in a session of its own.

import type { Event, ExecutorEvent } from "@orchestrator/contract";
import { asError } from "../errors.ts";
import type { CallWith, Flow, FlowArgs } from "../flow.ts";
import { newId } from "../ids.ts";
import type { RunState } from "../options/options.ts";
import { withSession } from "../report/session.ts";
import { executeRecord } from "../run/execute-record.ts";
import type { FlowDefinition } from "../run/flow-run.ts";
import type { Task } from "../task.ts";
import { machineMs, msUntil, withClock } from "../time.ts";
import { type Fake, type NamedTask, nameOfTask } from "./fakes.ts";
import type { MemoryRun } from "./memory-run.ts";
import { type Answers, MemoryServer, type Question } from "./memory-server.ts";
import type { SentEvent } from "./memory-waits.ts";
import { type KillPoint, type TaskBodyCall, TestProcess } from "./test-process.ts";
import { type TestedTaskRun, taskRunsIn } from "./tested-task-runs.ts";
import { VirtualTime } from "./virtual-time.ts";

export interface FlowTestOptions {
  /** What is called in the place of tasks and of deployments. */
  readonly fakes?: readonly Fake[] | undefined;
  /**
   * To the questions of the run in their order, or a function that answers. @default nobody answers
   */
  readonly answers?: Answers | undefined;
  /** For the waits of the run, each for one. @default none comes */
  readonly events?: readonly SentEvent[] | undefined;
  /** Where the process of the run is killed. */
  readonly killAt?: KillPoint | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Values of blocks, by `type/name`. */
  readonly blocks?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly tags?: readonly string[] | undefined;
  /** When the test begins, by its own clock. @default the present */
  readonly now?: Date | undefined;
  /** Whether lines of the run are printed as well. @default false */
  readonly printLogs?: boolean | undefined;
}

/** What a run in a test has done so far. */
export interface TestedRun<Value> {
  /** Its name is `Killed` where the test has killed its process. */
  readonly state: RunState;
  /** What the flow returned; throws what ended the run where it did not return. */
  readonly value: Value;
  /** What ended the run; null where it completed or was killed. */
  readonly error: Error | null;
  /** How long it took by the clock of the test. */
  readonly seconds: number;
  /** In the order in which they began. */
  readonly taskRuns: readonly TestedTaskRun[];
  readonly logs: readonly { readonly level: number; readonly message: string }[];
  /** Those that the flow has emitted. */
  readonly events: readonly Event[];
  readonly artifacts: readonly object[];
  /** What the run has asked. */
  readonly questions: readonly Question[];
  readonly variables: ReadonlyMap<string, unknown>;
  /** The arguments of each call of the task's function, by all executions of the run. */
  readonly calls: <Args extends unknown[], Value>(task: Task<Args, Value> | string) => Args[];
  /** Executes the run again, as after a crash: behind its finished tasks. */
  readonly resume: (options?: Pick<FlowTestOptions, "killAt">) => Promise<TestedRun<Value>>;
}

/**
 * Executes a flow without a server, in a time of its own: retry delays, sleeps and pauses take
 * none.
 *
 * @example const run = await testFlow(report, { region: "eu" }, { fakes: [fake(load, () => 3)] });
 */
export function testFlow<Args extends FlowArgs, Value>(
  flow: Flow<Args, Value>,
  ...[parameters = {}, options = {}]: CallWith<Args, FlowTestOptions>
): Promise<TestedRun<Value>> {
  return new FlowTest<Value>(flow.definition, parameters as object, options).execute(
    options.killAt,
  );
}

class FlowTest<Value> {
  readonly #definition: FlowDefinition;
  readonly #options: FlowTestOptions;
  readonly #time: VirtualTime;
  readonly #startMs: number;
  readonly #server: MemoryServer;
  readonly #run: MemoryRun;
  readonly #calls: TaskBodyCall[] = [];
  readonly #failed: Promise<never>;

  constructor(definition: FlowDefinition, parameters: object, options: FlowTestOptions) {
    const { name } = definition;
    this.#definition = definition;
    this.#options = options;
    this.#startMs = options.now?.getTime() ?? machineMs();
    this.#time = new VirtualTime(this.#startMs);
    let fail: (error: Error) => void = () => {};
    this.#failed = new Promise((_, reject) => {
      fail = reject;
    });
    this.#failed.catch(() => {}); // whoever executes the run hears of it
    const {
      fakes = [],
      answers = [],
      events = [],
      variables = {},
      blocks = {},
      tags = [],
    } = options;
    const common = { time: this.#time, fakes, answers, events, variables, blocks };
    this.#server = new MemoryServer({ ...common, onFailure: fail });
    this.#run = this.#inTime(() =>
      this.#server.addRun({
        flow_id: name,
        name,
        parameters: parameters as Readonly<Record<string, unknown>>,
        // As any worker may go on with it, its results are in its journal.
        deployment_id: newId(),
        tags: [...(definition.options.tags ?? []), ...tags],
      }),
    );
  }

  async execute(killAt: KillPoint | undefined): Promise<TestedRun<Value>> {
    for (;;) {
      const ended = await this.#executeOnce(killAt);
      if (ended.kind === "killed") {
        const state = { type: "CRASHED" as const, name: "Killed", message: "The test killed it" };
        this.#inTime(() => this.#run.force(state));
        return this.#outcome(ended);
      }
      await this.#untilAnswered();
      const { type, state_details } = this.#run.state;
      if (type !== "SCHEDULED") return this.#outcome(ended);
      // It goes on in another process, as a worker would execute it.
      const clock = this.#time.clockOf(this);
      await clock.sleep(this.#inTime(() => msUntil(state_details.scheduled_time)));
    }
  }

  async #executeOnce(killAt: KillPoint | undefined): Promise<Ended> {
    const process = new TestProcess({
      server: this.#server,
      clock: (owner) => this.#time.clockOf(owner),
      killAt,
      onCall: (call) => this.#calls.push(call),
      isLogPrinted: this.#options.printLogs ?? false,
    });
    const { session, clock } = process;
    this.#inTime(() => this.#run.force({ type: "PENDING", state_details: { claim_id: newId() } }));
    const execute = (): Promise<Ended> =>
      executeRecord(session, this.#definition, {
        record: this.#run.record,
        parent: new AbortController().signal,
      }).then(
        (value) => ({ kind: "returned", value }),
        (error: unknown) => ({ kind: "threw", error: asError(error) }),
      );
    const executed = withClock(clock, () => withSession(session, execute));
    const killed = process.killed.then((kind): Ended => ({ kind }));
    try {
      return await Promise.race([executed, killed, this.#failed]);
    } finally {
      process.removeFiles();
    }
  }

  /** A run that suspends itself ends its process, and waits for its answer. */
  async #untilAnswered(): Promise<void> {
    while (this.#run.state.type === "PAUSED") {
      await Promise.race([this.#run.change, this.#failed]);
    }
  }

  #outcome(ended: Ended): TestedRun<Value> {
    const server = this.#server;
    const { type, name, message } = this.#run.state;
    const error = ended.kind === "threw" ? ended.error : null;
    const calls = this.#calls;
    return {
      state: { type, name: name ?? type, message },
      get value(): Value {
        if (ended.kind === "returned") return ended.value as Value;
        throw error ?? new Error("The run was killed and has no value: resume() goes on with it");
      },
      error,
      seconds: (this.#time.nowMs - this.#startMs) / 1000,
      taskRuns: taskRunsIn(server.events.values()),
      logs: server.logs.map(({ level, message: text }) => ({ level, message: text })),
      events: emittedIn(server.events.values()),
      artifacts: server.artifacts,
      questions: server.questions,
      variables: server.variables,
      calls: <Args extends unknown[]>(task: NamedTask) =>
        calls.filter((one) => one.task === nameOfTask(task)).map(({ args }) => [...args] as Args),
      resume: ({ killAt } = {}) => this.#resume(killAt),
    };
  }

  async #resume(killAt: KillPoint | undefined): Promise<TestedRun<Value>> {
    if (this.#run.state.type === "COMPLETED") {
      throw new Error("The run has completed: there is nothing to resume");
    }
    return this.execute(killAt);
  }

  #inTime<Made>(work: () => Made): Made {
    return withClock(this.#time.clockOf(this), work);
  }
}

/** Without those of the engine, and without what travels with events. */
function emittedIn(events: Iterable<ExecutorEvent>): Event[] {
  const emitted = [...events].filter(({ event }) => !event.startsWith("orchestrator."));
  return emitted.map(({ id, occurred, event, resource, related = [], payload = {} }) => {
    return { id, occurred, event, resource, related, payload };
  });
}

type Ended =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: Error }
  | { readonly kind: "killed" };
