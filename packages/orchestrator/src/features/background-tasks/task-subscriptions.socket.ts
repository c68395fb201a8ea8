import { TaskAnswer, TaskSubscription } from "@orchestrator/contract";
import {
  type ApiInstance,
  createReader,
  type Reader,
  type Scope,
  type ServerSocket,
  sleep,
  socketRoute,
} from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { API_SOCKET, receiveWish } from "../../sockets.ts";
import {
  createTaskDispatcher,
  type OfferedRun,
  type TaskDispatcher,
} from "./task-dispatcher.service.ts";
import { createTaskWorkerRegistry } from "./task-workers.service.ts";

/** Task workers know this code: they did not keep to the protocol. */
const VIOLATION = 4001;
const NO_SUBSCRIPTION = { code: VIOLATION, missing: "No subscription came in time" };
/** Accepting a run means no more than that it has arrived. */
const ANSWER_MS = 30_000;

/** Background task runs, one after another, each to one task worker: the next one when the last is accepted. */
export function taskSubscriptionSocket(api: ApiInstance, ctx: OrchestratorContext): void {
  const subscription = createReader(TaskSubscription);
  const answers = createReader(TaskAnswer);
  const dispatcher = createTaskDispatcher(ctx);
  const registry = createTaskWorkerRegistry(ctx);
  api.addHook("onClose", async () => {
    await Promise.all([dispatcher.stop(), registry.stop()]);
  });

  socketRoute(api, "/task_runs/subscriptions/scheduled", API_SOCKET, async (socket, { scope }) => {
    const wish = await receiveWish(socket, subscription, NO_SUBSCRIPTION);
    if (wish === null) return;
    const { keys, client_id: identifier } = wish;
    const leave = await registry.add(scope, { identifier, keys });
    try {
      await serve({ socket, scope, keys, dispatcher, answers });
    } finally {
      await leave();
    }
  });
}

interface Subscriber {
  readonly socket: ServerSocket;
  readonly scope: Scope;
  readonly keys: readonly string[];
  readonly dispatcher: TaskDispatcher;
  readonly answers: Reader<{ readonly type: "ack" | "quit" }>;
}

async function serve({ socket, scope, keys, dispatcher, answers }: Subscriber): Promise<void> {
  let heard = socket.receive();
  for (;;) {
    const offered = await nextRun({ socket, scope, keys, dispatcher }, heard);
    if (offered !== null) await socket.send(offered.json);
    const message = await inTime(heard);
    const reading = message === "late" || message === null ? null : answers.read(message);
    const answer = reading === null || "problem" in reading ? null : reading.value.type;
    if (offered !== null && answer === "ack") {
      await offered.accept();
      heard = socket.receive();
      continue;
    }
    // When the server stops it may have missed the answer; the offer ends by itself if there was none.
    if (!socket.isStopping) await offered?.release();
    // Whoever quits is let go without a reproach; whoever is gone need not be told.
    if (answer === "quit" || message === null) return;
    const problem = message === "late" ? "no answer came in time" : "expected ack or quit";
    socket.close(VIOLATION, `Protocol violation: ${problem}`);
    return;
  }
}

/** The next run, or null when the worker says something before there is one. */
async function nextRun(
  { socket, scope, keys, dispatcher }: Omit<Subscriber, "answers">,
  heard: Promise<Buffer | null>,
): Promise<OfferedRun | null> {
  const enough = new AbortController();
  const end = (): void => enough.abort();
  socket.signal.addEventListener("abort", end, { once: true });
  void heard.then(end);
  const offered = await dispatcher.next(scope, keys, enough.signal);
  socket.signal.removeEventListener("abort", end);
  return offered;
}

async function inTime(heard: Promise<Buffer | null>): Promise<Buffer | "late" | null> {
  const enough = new AbortController();
  const late = sleep(ANSWER_MS, enough.signal).then((): "late" => "late");
  const message = await Promise.race([heard, late]);
  enough.abort();
  return message;
}
