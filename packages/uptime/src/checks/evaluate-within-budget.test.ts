import { createComputePool, ThreadFailedError } from "@orchestrator/kernel/compute";
import { AppError } from "@orchestrator/kernel/pure";
import { openScope } from "@orchestrator/kernel/scope";
import { startReceiver } from "@orchestrator/outbound/testing";
import { afterAll, describe, expect, test } from "vitest";
import { probe } from "../testing/probe.ts";

const pool = createComputePool({ budget: { cpuMs: 100, memoryMb: 64 } });
afterAll(() => pool.close());
const threads = pool.for(openScope("test"));

/** A pool that has no thread: what asks for one is not cheap. */
const noThreads = { run: () => Promise.reject(new Error("a thread is needed")) };

const answering = (body: string) => startReceiver((_, response) => void response.end(body));
const floats = `[${"1.0,".repeat(250_000)}1]`;
const root = Array.from({ length: 20 }, () => ({ path: "$", comparison: "contains", value: [1] }));

describe("the body of an answer", () => {
  test("that is small is judged in the event loop", async () => {
    await using server = await answering('{"status": "ok"}');
    const json = [{ path: "status", value: "ok" }];
    const outcome = await probe(server.url, [{ type: "http", json }], { compute: noThreads });
    expect(outcome.message).toBe("http: 200 OK");
  });

  test("that is large is searched for a text in the event loop", async () => {
    await using server = await answering(`${"x".repeat(900_000)}y`);
    const check = { type: "http", contains: "y" } as const;
    const outcome = await probe(server.url, [check], { compute: noThreads });
    expect(outcome.message).toBe("http: 200 OK");
  });

  test("that is large JSON is judged on a thread, and no secret is shown there either", async () => {
    const secret = "s3cret-of-mine";
    await using server = await answering(JSON.stringify({ secret, all: "x".repeat(50_000) }));
    const headers = { "X-Api-Key": secret };
    const json = [{ path: "secret", value: 1 }];
    const outcome = await probe(server.url, [{ type: "http", headers, json }], {
      compute: threads,
    });
    expect(outcome.message).toContain("expected secret == 1, but it is");
    expect(outcome.message).toContain("********");
    expect(JSON.stringify(outcome)).not.toContain(secret);
  });

  test.each([
    ["the queue is full", new AppError("too_many_requests", "Too many computations wait already")],
    ["a thread fails", new ThreadFailedError(new Error("It ended"))],
  ])("is inconclusive while %s, and the target is not blamed", async (_, error) => {
    await using server = await answering(`"${"x".repeat(50_000)}"`);
    const compute = { run: () => Promise.reject(error) };
    const json = [{ path: "$", value: 1 }];
    const check = { type: "http", json, timeout_ms: 1000 } as const;
    const outcome = await probe(server.url, [check], { compute });
    expect(outcome).toMatchObject({
      inconclusive: true,
      unreachable: false,
      message: "http: this server could not judge the answer, which says nothing about the target",
    });
  });

  test("that cannot be judged does not excuse a target that is down", async () => {
    await using server = await answering(`"${"x".repeat(50_000)}"`);
    const compute = { run: () => Promise.reject(new ThreadFailedError(new Error("It ended"))) };
    const json = [{ path: "$", value: 1 }];
    const checks = [{ type: "http", json } as const, { type: "tcp", port: 1 } as const];
    const outcome = await probe(server.url, checks, { compute });
    expect(outcome).toMatchObject({ status: "down", inconclusive: false });
  });

  test("that takes too much is down, and says which budget it used up", async () => {
    await using server = await answering(floats);
    const outcome = await probe(server.url, [{ type: "http", json: root as never }], {
      compute: threads,
    });
    expect(outcome).toMatchObject({
      status: "down",
      message: expect.stringContaining("The body takes more than its budget of"),
    });
  });
});
