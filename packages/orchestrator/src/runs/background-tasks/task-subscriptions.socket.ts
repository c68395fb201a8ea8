import { TaskAnswer, TaskSubscription } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import {
  type ApiInstance,
  createReader,
  type MessageReader,
  type ServerSocket,
  socketRoute,
} from "@orchestrator/kernel/http";
import { sleep } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { API_SOCKET, receiveWish } from "../../sockets.ts";
import { formsOf, taskKey } from "../../texts/run-texts.ts";
import {
  createTaskDispatcher,
  type DispatchedTaskRun,
  type TaskDispatcher,
} from "./task-dispatcher.service.ts";
import { createTaskWorkerRegistry } from "./task-workers.service.ts";

/** Task workers know this code: they did not keep to the protocol. */
const VIOLATION = 4001;
const NO_SUBSCRIPTION = { code: VIOLATION, missing: "No subscription came in time" };
/** Accepting a run means no more than that it has arrived. */
const ANSWER_MS = 30_000;
const formsOfKey = formsOf(taskKey);

/**
 * Background task runs, one after another, each to one task worker: the next one when the last is
 * accepted.
 */
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
    const keysByForm = new Map(keys.flatMap((key) => formsOfKey(key).map((form) => [form, key])));
    try {
      await serve({ socket, scope, keysByForm, dispatcher, answers });
    } finally {
      await leave();
    }
  });
}

interface Subscriber {
  readonly socket: ServerSocket;
  readonly scope: Scope;
  /** The keys that the worker gave, by the forms they are stored in. */
  readonly keysByForm: ReadonlyMap<string, string>;
  readonly dispatcher: TaskDispatcher;
  readonly answers: MessageReader<{ readonly type: "ack" | "quit" }>;
}

async function serve(subscriber: Subscriber): Promise<void> {
  const { socket, keysByForm, answers } = subscriber;
  let heard = socket.receive();
  for (;;) {
    const offered = await nextRun(subscriber, heard);
    if (offered !== null) await socket.send(asSubscribed(offered.json, keysByForm));
    const message = await inTime(heard);
    const reading = message === "late" || message === null ? null : answers.read(message);
    const answer = reading === null || "problem" in reading ? null : reading.value.type;
    if (offered !== null && answer === "ack") {
      await offered.accept();
      heard = socket.receive();
      continue;
    }
    // When the server stops it may have missed the answer; the offer ends by itself if there was
    // none.
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
  { socket, scope, keysByForm, dispatcher }: Subscriber,
  heard: Promise<Buffer | null>,
): Promise<DispatchedTaskRun | null> {
  const enough = new AbortController();
  const end = (): void => enough.abort();
  socket.signal.addEventListener("abort", end, { once: true });
  void heard.then(end);
  const offered = await dispatcher.next(scope, [...keysByForm.keys()], enough.signal);
  socket.signal.removeEventListener("abort", end);
  return offered;
}

/**
 * The run with the key that the worker gave: by that it knows which task to run, also where the key
 * was cut.
 */
function asSubscribed(json: string, keysByForm: Subscriber["keysByForm"]): string {
  if ([...keysByForm].every(([form, key]) => form === key)) return json;
  const run = readJson(json) as { readonly task_key: string };
  return writeJson({ ...run, task_key: keysByForm.get(run.task_key) ?? run.task_key });
}

async function inTime(heard: Promise<Buffer | null>): Promise<Buffer | "late" | null> {
  const enough = new AbortController();
  const late = sleep(ANSWER_MS, enough.signal).then((): "late" => "late");
  const message = await Promise.race([heard, late]);
  enough.abort();
  return message;
}
