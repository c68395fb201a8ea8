// One execution of a run in a test: a session that ends with the process that a test kills.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutorEvent } from "@orchestrator/contract";
import type { ReportSession } from "../report/session.ts";
import { findScope } from "../scope/context.ts";
import type { Clock } from "../time.ts";
import { type NamedTask, nameOfTask } from "./fakes.ts";
import { memoryClient } from "./memory-client.ts";
import type { MemoryServer } from "./memory-server.ts";

/** Where the process of a run is killed. */
export interface KillPoint {
  /** A task, or the number of a call among those of all tasks, from 1. */
  readonly at: NamedTask | number;
  /** Which call of the task, from 1. @default 1 */
  readonly call?: number | undefined;
  /**
   * Before its function, after it and before its result is stored, or after that. @default "after"
   */
  readonly when?: "before" | "during" | "after" | undefined;
}

/** One call of a task's function. */
export interface TaskBodyCall {
  readonly task: string;
  readonly args: readonly unknown[];
}

interface TestProcessOptions {
  readonly server: MemoryServer;
  readonly clock: (process: object) => Clock;
  readonly killAt: KillPoint | undefined;
  readonly onCall: (call: TaskBodyCall) => void;
  readonly isLogPrinted: boolean;
}

type Body = (...args: readonly unknown[]) => unknown;

const LOG_LEVEL = 10;
const FOR_EVER_SECONDS = 100 * 365 * 86_400;
const DELIVERY_SECONDS = 600;
const SUSPEND_AFTER_SECONDS = 60;

/** What a dead process waits for. */
const NEVER = new Promise<never>(() => {});

export class TestProcess {
  readonly session: ReportSession;
  readonly clock: Clock;
  readonly killed: Promise<"killed">;
  readonly #options: TestProcessOptions;
  readonly #home = mkdtempSync(join(tmpdir(), "orchestrator-test-"));
  readonly #calls = new Map<string, number>();
  #callsOfAll = 0;
  #isKilled = false;
  /** The task run whose result is the last that is stored. */
  #lastTaskRunId: string | null = null;
  #die: () => void = () => {};

  constructor(options: TestProcessOptions) {
    this.#options = options;
    this.clock = options.clock(this);
    this.killed = new Promise((resolve) => {
      this.#die = () => resolve("killed");
    });
    this.session = this.#createSession();
  }

  /** Files that an execution keeps are those of its machine. */
  removeFiles(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  #createSession(): ReportSession {
    const { server, isLogPrinted } = this.#options;
    const isDelivered = (): Promise<boolean> => Promise.resolve(true);
    const none = (): void => {};
    return {
      client: memoryClient(server, async (answer) => {
        const value = this.#isKilled ? await NEVER : await answer();
        return this.#isKilled ? NEVER : value;
      }),
      url: "test:/api",
      settings: {
        home: this.#home,
        isOfflineAllowed: false,
        isReporting: true,
        logLevel: LOG_LEVEL,
        isLogPrinted,
        heartbeatSeconds: FOR_EVER_SECONDS,
        deliverySeconds: DELIVERY_SECONDS,
        suspendAfterSeconds: SUSPEND_AFTER_SECONDS,
      },
      events: {
        push: (event) => this.#take(event),
        deliver: (event) => {
          this.#take(event);
          return this.#isKilled ? NEVER : Promise.resolve({ kind: "stored" });
        },
        flush: isDelivered,
        close: none,
      },
      logs: {
        push: (line) => {
          if (!this.#isKilled) server.logs.push(line);
        },
        flush: isDelivered,
        close: none,
      },
      leave: none,
      deliverLeft: () => Promise.resolve(),
      flush: isDelivered,
      bodyOf:
        ({ name, body }) =>
        (...args) =>
          this.#call({ task: name, args }, body),
    };
  }

  #take(event: ExecutorEvent): void {
    if (this.#isKilled) return;
    this.#options.server.take(event);
    const isEnd = event.event === "orchestrator.task-run.Completed";
    const id = event.resource["orchestrator.resource.id"];
    if (isEnd && id === `orchestrator.task-run.${this.#lastTaskRunId}`) void this.#kill();
  }

  async #call(call: TaskBodyCall, own: Body): Promise<unknown> {
    if (this.#isKilled) return NEVER;
    const { server, onCall } = this.#options;
    const when = this.#killTimeOf(call.task);
    if (when === "before") return this.#kill();
    onCall(call);
    const body = server.fakeOf(call.task)?.body ?? own;
    const value = await body(...call.args);
    if (when === "during") return this.#kill();
    if (when === "after") this.#lastTaskRunId = findScope()?.taskRun?.id ?? null;
    return value;
  }

  /** When during this call the process is to be killed; null when it is not. */
  #killTimeOf(task: string): KillPoint["when"] | null {
    const number = (this.#calls.get(task) ?? 0) + 1;
    this.#calls.set(task, number);
    this.#callsOfAll += 1;
    const { killAt } = this.#options;
    if (killAt === undefined) return null;
    const { at, call = 1, when = "after" } = killAt;
    if (typeof at === "number") return at === this.#callsOfAll ? when : null;
    return nameOfTask(at) === task && call === number ? when : null;
  }

  #kill(): Promise<never> {
    this.#isKilled = true;
    this.#options.server.options.time.forget(this);
    this.#die();
    return NEVER;
  }
}
