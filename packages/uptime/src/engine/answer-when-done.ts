import { PassThrough } from "node:stream";
import { writeJson } from "@orchestrator/exact-json";
import { sleep } from "@orchestrator/kernel/pure";
import type { FastifyReply } from "fastify";

export interface AnswerTimeouts {
  /** For so long the answer waits for what it tells, and a failure is told as one. */
  readonly afterMs: number;
  /** From then on something is sent this often. */
  readonly everyMs: number;
}

/**
 * Servers and whatever stands between cut connections on which nothing moves: some do after a
 * minute.
 */
const PATIENCE: AnswerTimeouts = { afterMs: 20_000, everyMs: 15_000 };

/**
 * Answers with what comes of some work, as JSON, however long that takes: an answer that is late
 * begins with white space, which means nothing in JSON, and the connection is seen to be alive.
 * Work that fails after the answer has begun ends the connection, so that nobody takes the
 * beginning for the whole.
 */
export async function answerWhenDone<T>(
  reply: FastifyReply,
  work: Promise<T>,
  { afterMs, everyMs }: AnswerTimeouts = PATIENCE,
): Promise<T> {
  const done = new AbortController();
  const settled = work.finally(() => done.abort());
  settled.catch(() => {});
  await sleep(afterMs, done.signal);
  if (done.signal.aborted) return settled;
  const answer = new PassThrough();
  void tellOn(answer, everyMs, done.signal);
  settled.then(
    (value) => answer.end(writeJson(value)),
    (error: unknown) => answer.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  reply.header("content-type", "application/json; charset=utf-8");
  return reply.send(answer) as never;
}

async function tellOn(answer: PassThrough, everyMs: number, done: AbortSignal): Promise<void> {
  while (!done.aborted && !answer.destroyed) {
    answer.write(" ");
    await sleep(everyMs, done);
  }
}
