import { describe, expect, test } from "vitest";
import { probe } from "../testing/probe.ts";
import { httpAnswer, startRawServer } from "../testing/raw-server.ts";
import type { CheckConfig } from "./registry.ts";

const CLOSED = "http://127.0.0.1:1";

describe("a run", () => {
  test("runs all checks in order, and the worst status wins", async () => {
    await using server = await startRawServer((socket, head) =>
      socket.end(httpAnswer(head.startsWith("POST") ? 503 : 200)),
    );
    const outcome = await probe(server.url, [
      { type: "http" },
      { type: "http", method: "POST" },
      { type: "tcp" },
      { type: "http", expected_status: [404] },
    ]);
    expect(outcome).toMatchObject({
      status: "down",
      message:
        "http: 200 OK; http: 503 Service Unavailable; tcp: connected; http: 200 OK, expected 404",
      details: {
        http: { status_code: 200 },
        "http#2": { status_code: 503 },
        "http#3": { status_code: 200 },
      },
    });
    expect(Object.keys(outcome.details)).toEqual(["http", "http#2", "tcp", "http#3"]);
    expect(server.connections()).toBe(4);
  });

  test("is degraded when nothing is worse", async () => {
    await using server = await startRawServer((socket) => socket.end(httpAnswer(404)));
    expect((await probe(server.url, [{ type: "tcp" }, { type: "http" }])).status).toBe("degraded");
  });

  test("goes on after a check that failed", async () => {
    const outcome = await probe(CLOSED, [{ type: "http" }, { type: "ping" }]);
    expect(outcome).toMatchObject({ status: "down", unreachable: false });
    expect(outcome.message).toMatch(/^http: the host cannot be reached .*; ping: answered in/);
  });

  test("that hears nothing from its target says so", async () => {
    const resolve = () => new Promise<never>(() => {});
    const silent: CheckConfig = { type: "http", timeout_ms: 100 };
    await using server = await startRawServer(() => {});
    expect(await probe(server.url, [silent], { resolve })).toMatchObject({ unreachable: true });
  });

  test("has one deadline for all of its checks and attempts", async () => {
    await using server = await startRawServer(() => {});
    const pipeline: CheckConfig[] = [{ type: "http", retries: 5 }, { type: "tcp" }];
    const outcome = await probe(server.url, pipeline, { maxRunMs: 150 });
    expect(outcome).toMatchObject({ status: "down", inconclusive: false });
    expect(outcome.message).toMatch(
      /^http: no answer within \d+ ms while waiting for the answer; tcp: the time of the run was over/,
    );
    expect(server.connections()).toBe(1);
  });

  test("finds this machine by its name", async () => {
    await using server = await startRawServer((socket) => socket.end(httpAnswer(200)));
    expect((await probe(`http://localhost:${server.port}`)).status).toBe("up");
  });

  test("calls a host at its next address when the first does not take it", async () => {
    await using server = await startRawServer((socket) => socket.end(httpAnswer(200)));
    const url = `http://two.example:${server.port}`;
    const resolve = async () => ["127.0.0.77", "127.0.0.1"];
    expect((await probe(url, [], { resolve })).status).toBe("up");
  });

  test("that the server interrupts is inconclusive, and begins nothing more", async () => {
    const stop = new AbortController();
    await using server = await startRawServer(() => stop.abort());
    const outcome = await probe(server.url, [{ type: "http" }, { type: "tcp" }], {
      signal: stop.signal,
    });
    expect(outcome).toMatchObject({ inconclusive: true });
    expect(Object.keys(outcome.details)).toEqual(["http"]);
    expect(await probe(server.url, [], { signal: stop.signal })).toMatchObject({
      inconclusive: true,
    });
    expect(server.connections()).toBe(1);
  });

  test("never throws, whatever it is given", async () => {
    const strange = [
      { type: "carrier-pigeon" },
      { type: "constructor" },
      { type: "http", method: "GET /evil HTTP/1.1\r\n" },
      { type: "http", headers: { "": "x" } },
      { type: "tcp", port: 99_999 },
    ] as unknown as CheckConfig[];
    for (const config of strange)
      expect(await probe(CLOSED, [config])).toMatchObject({ status: "down", inconclusive: false });
    for (const url of ["", "no address", "ftp://127.0.0.1/", "http://"])
      expect(await probe(url, [{ type: "http" }, { type: "tls" }])).toMatchObject({
        status: "down",
      });
  });

  test("does not tell where it went when the connection fails", async () => {
    const outcome = await probe("http://ada:pass-word@127.0.0.1:1/private/path?token=t");
    expect(JSON.stringify(outcome)).not.toMatch(/pass-word|private|token|ada/);
  });
});
