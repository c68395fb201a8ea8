import { parseMicros } from "@orchestrator/kernel/pure";
import { manualClock } from "@orchestrator/kernel/testing";
import { startNameServer } from "@orchestrator/outbound/testing";
import { describe, expect, test } from "vitest";
import { probe } from "../testing/probe.ts";
import { startRawServer } from "../testing/raw-server.ts";
import { evaluateHeartbeat, heartbeatDueMicros } from "./heartbeat.ts";
import type { ConfigOf } from "./registry.ts";
import { runPipeline } from "./run-pipeline.ts";

const CLOSED = "http://127.0.0.1:1";

describe("tcp", () => {
  test("is up when the connection is taken", async () => {
    await using server = await startRawServer(() => {});
    expect(await probe(server.url, [{ type: "tcp" }])).toMatchObject({
      status: "up",
      message: "tcp: connected",
    });
    const named = { type: "tcp", host: "127.0.0.1", port: server.port } as const;
    expect((await probe("https://elsewhere.example", [named])).status).toBe("up");
    expect((await probe(CLOSED, [{ type: "tcp" }])).message).toBe(
      "tcp: the host cannot be reached (ECONNREFUSED)",
    );
  });

  test("hears what is expected, however it comes", async () => {
    await using server = await startRawServer(
      (socket) => {
        socket.write("220 mail.exa");
        setTimeout(() => socket.write("mple ready"), 10);
      },
      { isFirst: true },
    );
    const outcome = await probe(server.url, [{ type: "tcp", contains: "mail.example" }]);
    expect(outcome.message).toBe("tcp: answered as expected");
    const wrong = { type: "tcp", contains: "POP3", timeout_ms: 150 } as const;
    expect((await probe(server.url, [wrong])).message).toBe(
      "tcp: the answer is not what was expected",
    );
  });

  test("speaks first when told to, and does not listen without end", async () => {
    await using server = await startRawServer((socket) => {
      const pour = (): void => {
        if (!socket.destroyed) socket.write("x".repeat(65_536), pour);
      };
      pour();
    });
    const send = "PING\r\n\r\n";
    const outcome = await probe(server.url, [{ type: "tcp", send, contains: "PONG" }]);
    expect(outcome.message).toBe("tcp: the answer is not what was expected");
    expect(server.heads).toEqual(["PING"]);
  });

  test("is down when the other side says nothing, or hangs up", async () => {
    await using silent = await startRawServer(() => {});
    const quiet = { type: "tcp", contains: "x", timeout_ms: 150 } as const;
    expect((await probe(silent.url, [quiet])).message).toBe(
      "tcp: no answer within 150 ms while waiting for the answer",
    );
    await using gone = await startRawServer((socket) => socket.end(), { isFirst: true });
    expect((await probe(gone.url, [quiet])).message).toBe("tcp: the other side hung up");
  });

  test("goes where it may only", async () => {
    const host = "169.254.169.254";
    for (const type of ["tcp", "tls", "ping"] as const)
      expect((await probe(CLOSED, [{ type, host, port: 80 }])).message).toMatch(/metadata address/);
  });
});

describe("ping", () => {
  test("is up when the host answers, even by refusing", async () => {
    await using server = await startRawServer(() => {});
    const taken = await probe(server.url, [{ type: "ping", count: 3 }]);
    expect(taken).toMatchObject({
      status: "up",
      details: { ping: { sent: 3, received: 3, loss_percent: 0 } },
    });
    expect(taken.message).toMatch(/^ping: answered in [\d.]+ ms$/);
    expect((await probe(CLOSED, [{ type: "ping" }])).status).toBe("up");
  });

  test("is down when there is no such host", async () => {
    const resolve = () => Promise.reject(new Error("no"));
    const outcome = await probe("http://gone.example", [{ type: "ping", count: 2 }], { resolve });
    expect(outcome).toMatchObject({ status: "down", details: { ping: { received: 0 } } });
  });

  test("is degraded when some are lost", async () => {
    await using server = await startRawServer(() => {});
    let lookups = 0;
    const resolve = async () => {
      if (++lookups === 1) throw new Error("lost");
      return ["127.0.0.1"];
    };
    const url = `http://flaky.example:${server.port}`;
    const outcome = await probe(url, [{ type: "ping", count: 4 }], { resolve });
    expect(outcome).toMatchObject({
      status: "degraded",
      details: { ping: { sent: 4, received: 3, loss_percent: 25 } },
    });
  });
});

describe("dns", () => {
  const ask = async (
    config: Omit<ConfigOf<"dns">, "type">,
    records: readonly string[] | null = [],
  ) => {
    await using server = await startNameServer(() => records);
    const check = { type: "dns", server: server.address, ...config } as const;
    const outcome = await probe("https://shop.example/x", [check]);
    return { ...outcome, questions: server.questions };
  };

  test.each<[Omit<ConfigOf<"dns">, "type">, readonly string[], string, string]>([
    [{}, ["10.0.0.1", "10.0.0.2"], "up", "dns: 2 A"],
    [{ expected: ["10.0.0.2"] }, ["10.0.0.1", "10.0.0.2"], "up", "dns: 2 A"],
    [{ expected: ["10.0.0.3"] }, ["10.0.0.1"], "down", "dns: 1 A, 10.0.0.3 is missing"],
    [{ record: "AAAA", expected: ["fd00::1"] }, ["fd00::1"], "up", "dns: 1 AAAA"],
    [{ record: "CNAME", expected: ["CDN.example."] }, ["cdn.example"], "up", "dns: 1 CNAME"],
    [{ record: "MX", expected: ["mx.example"] }, ["10 mx.example"], "up", "dns: 1 MX"],
    [
      { record: "MX", expected: ["20 mx.example"] },
      ["10 mx.example"],
      "down",
      "dns: 1 MX, 20 mx.example is missing",
    ],
    [{ record: "TXT", expected: ["v=spf1 -all"] }, ["v=spf1 -all"], "up", "dns: 1 TXT"],
    [{ record: "NS", expected: ["ns.example"] }, ["ns.example"], "up", "dns: 1 NS"],
    [{ record: "SRV", expected: ["1 2 443 a.example"] }, ["1 2 443 a.example"], "up", "dns: 1 SRV"],
  ])("%j of %j is %s", async (config, records, status, message) => {
    expect(await ask(config, records)).toMatchObject({ status, message });
  });

  test("is down without a record, or an answer", async () => {
    expect((await ask({}, null)).message).toBe("dns: there is no A record (ENOTFOUND)");
    expect((await ask({ record: "MX" }, [])).message).toBe("dns: there is no MX record (ENODATA)");
    await using silent = await startNameServer(() => undefined);
    const check = { type: "dns", server: silent.address, timeout_ms: 200 } as const;
    const outcome = await probe("https://shop.example", [check]);
    expect(outcome.status).toBe("down");
    expect(outcome.message).toMatch(/no answer within 200 ms|did not answer \(ETIMEOUT\)/);
  });

  test("looks an address up backwards", async () => {
    const seen = await ask({ host: "10.0.0.7", record: "PTR", expected: ["a.example"] }, [
      "a.example",
    ]);
    expect(seen).toMatchObject({ status: "up", questions: ["PTR 7.0.0.10.in-addr.arpa"] });
    expect((await ask({ host: "10.0.0.7" })).message).toMatch(/an address and not a name/);
  });

  test.each([
    ["169.254.169.253", /link-local/],
    ["[fd00:ec2::253]:53", /metadata/],
    ["ns.example", /not given by its address/],
    ["10.0.0.1:99999", /not given by its address/],
  ])("does not ask %s", async (server, message) => {
    const outcome = await probe("https://shop.example", [{ type: "dns", server }]);
    expect(outcome.message).toMatch(message);
  });
});

describe("heartbeat", () => {
  const beat = {
    lastCallAt: "2026-01-01T00:10:00.000000Z",
    hasFailed: false,
    awaitedSince: "2026-01-01T00:00:00.000000Z",
    interval: 300,
    unheardMicros: 0,
  };
  const at = (time: string) => parseMicros(`2026-01-01T${time}.000000Z`);

  test.each([
    ["called lately", {}, "00:11:00", "up", "called 60 s ago"],
    ["is late, but not too late", {}, "00:16:00", "up", "called 360 s ago"],
    ["is overdue", {}, "00:16:01", "down", "no call for 361 s"],
    ["was not heard for a while", { unheardMicros: 60e6 }, "00:17:00", "up", "called 420 s ago"],
    ["is overdue though", { unheardMicros: 60e6 }, "00:17:01", "down", "no call for 421 s"],
    [
      "told of a failure",
      { hasFailed: true },
      "00:11:00",
      "down",
      "its last call told of a failure",
    ],
    ["has yet to call", { lastCallAt: null }, "00:06:00", "up", "waiting for the first call"],
    ["has never called", { lastCallAt: null }, "00:06:01", "down", "it has never called"],
    [
      "was paused meanwhile",
      { awaitedSince: "2026-01-01T09:00:00.000000Z" },
      "09:05:00",
      "up",
      "called 32100 s ago",
    ],
  ] as const)("of a target that %s", (...[, more, time, status, text]) => {
    expect(evaluateHeartbeat({ grace: 60 }, { ...beat, ...more }, at(time))).toEqual({
      status,
      text,
    });
  });

  test("is due by its own period, or else by the interval", () => {
    expect(heartbeatDueMicros({ period: 10, grace: 5 }, beat)).toBe(at("00:10:15"));
    expect(heartbeatDueMicros({ grace: 0 }, beat)).toBe(at("00:15:00"));
  });

  test("is one check of a pipeline like any other, and calls nobody", async () => {
    const clock = manualClock("2026-01-01T00:20:00Z");
    const outcome = await runPipeline(
      { id: "x", url: CLOSED, pipeline: [{ type: "heartbeat", period: 60 }], heartbeat: beat },
      { policy: { allowPrivate: true, allowed: [] }, signal: new AbortController().signal, clock },
    );
    expect(outcome).toMatchObject({
      status: "down",
      message: "heartbeat: no call for 600 s",
      details: { heartbeat: { last_call: beat.lastCallAt, due: "2026-01-01T00:12:00.000000Z" } },
    });
  });
});
