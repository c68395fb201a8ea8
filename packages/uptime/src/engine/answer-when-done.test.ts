import type { AddressInfo } from "node:net";
import { createHttpApp } from "@orchestrator/kernel/http";
import { createLogger, createMetrics } from "@orchestrator/kernel/log";
import { openGate } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { answerWhenDone } from "./answer-when-done.ts";

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((good, bad) => {
    resolve = good;
    reject = bad;
  });
  return { promise, resolve, reject };
}

/**
 * A server whose one answer is what comes of the work, and which cuts connections on which nothing
 * moves.
 */
async function serving(work: () => Promise<unknown>, afterMs: number) {
  const log = createLogger({ level: "silent", format: "json" });
  const app = createHttpApp({
    log,
    metrics: createMetrics(),
    gate: openGate,
    limits: { idleMs: 200 },
  } as never);
  app.get("/", (_request, reply) => answerWhenDone(reply, work(), { afterMs, everyMs: 20 }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: () => app.close() };
}

test("what is done soon is answered as it is", async () => {
  await using server = await serving(async () => [1, 2], 60_000);
  expect(await (await fetch(server.url)).text()).toBe("[1,2]");
});

test("what takes long is answered nevertheless, and the connection is kept alive meanwhile", async () => {
  const work = deferred<readonly number[]>();
  await using server = await serving(() => work.promise, 10);
  const answer = await fetch(server.url);
  expect(answer.headers.get("content-type")).toContain("application/json");
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  // Longer than a silent connection is kept.
  for (let beats = 0; beats < 15; beats += 1) {
    const { value } = await reader.read();
    text += new TextDecoder().decode(value);
  }
  work.resolve([1, 2]);
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += new TextDecoder().decode(part.value);
  expect(JSON.parse(text)).toEqual([1, 2]);
  expect(text.trimStart()).toBe("[1,2]");
});

test("what fails soon is told as a failure, and what fails late breaks the answer off", async () => {
  const failure = new Error("The database is gone");
  await using soon = await serving(() => Promise.reject(failure), 60_000);
  expect((await fetch(soon.url)).status).toBe(500);
  const work = deferred<never>();
  await using late = await serving(() => work.promise, 10);
  const answer = await fetch(late.url);
  expect(answer.status).toBe(200);
  const read = answer.text();
  work.reject(failure);
  await expect(read).rejects.toThrow();
});
