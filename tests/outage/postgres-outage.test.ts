// PostgreSQL goes away under load and comes back; the server stays.
import { startPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { type HttpAnswer, type HttpClient, httpClient } from "../support/http-client.ts";
import { Ledger } from "../support/ledger.ts";
import { listVariables } from "../support/list-variables.ts";
import { readMetric } from "../support/metrics.ts";
import { freshSeed, seededRandom } from "../support/random.ts";
import type { ReadyAnswer } from "../support/ready.ts";
import { startReadyServer } from "../support/server-process.ts";
import { type Auditor, createAuditor, reconcile } from "../support/stored-variables.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil, untilTrue } from "../support/until.ts";
import { type Load, startVariableLoad } from "../support/variable-load.ts";

const CLIENTS = 16;
const RECOVERY_MS = 5000;
/** Several times what the server allows itself, and less than what it allows a statement. */
const PROBE_MS = 20_000;

const REQUESTS = [
  ["GET", "/api/variables/name/any"],
  ["POST", "/api/variables/filter", {}],
  ["POST", "/api/variables/count", {}],
  ["POST", "/api/variables/", { name: "during-the-outage", value: 1 }],
  ["PATCH", "/api/variables/name/any", { value: 2 }],
  ["DELETE", "/api/variables/name/any"],
] as const;

function expectUnavailable(answer: HttpAnswer, what: string): void {
  expect(answer.status, `${what}: ${answer.text}`).toBe(503);
  expect(Number(answer.headers["retry-after"]), what).toBeGreaterThan(0);
  expect(answer.json(), what).toMatchObject({
    exception_message: "Service Unavailable",
    detail: expect.stringMatching(/./),
  });
}

/** A write that was taken a moment ago is believed for a moment. */
const untilNotReady = (
  client: HttpClient,
  when = "while the storage is away",
): Promise<HttpAnswer> =>
  retryUntil(async () => {
    const ready = await client.get("/api/ready");
    expect(ready.status, when).toBe(503);
    return ready;
  });

async function expectAway(client: HttpClient): Promise<void> {
  for (const [method, path, body] of REQUESTS)
    expectUnavailable(await client.send(method, path, body), `${method} ${path}`);
  const ready = await untilNotReady(client);
  expect(ready.json<ReadyAnswer>().message).toBe("Database is not available");
  const health = await client.get("/api/health");
  expect([health.status, health.text]).toEqual([200, "true"]);
  expect((await client.get("/metrics")).status).toBe(200);
}

async function expectBackInTime(client: HttpClient): Promise<void> {
  const acceptsSince = performance.now();
  const name = `back-${Math.floor(acceptsSince)}`;
  await retryUntil(async () => {
    const answer = await client.send("POST", "/api/variables/", { name, value: 1 });
    expect(answer.status, answer.text).toBe(201);
  });
  expect(performance.now() - acceptsSince).toBeLessThan(RECOVERY_MS);
  expect((await client.get("/api/ready")).status).toBe(200);
  expect((await client.send("DELETE", `/api/variables/name/${name}`)).status).toBe(204);
}

interface Books {
  readonly client: HttpClient;
  readonly ledger: Ledger;
  readonly auditor: Auditor;
}

async function expectNothingLost({ client, ledger, auditor }: Books): Promise<void> {
  const served = await listVariables(client);
  const { stored, changes, problems } = await auditor.audit();
  expect(served).toEqual(stored);
  expect(ledger.problemsWith(served)).toEqual([]);
  const ofLoad = changes.filter(({ name }) => !name.startsWith("back-"));
  expect([...problems, ...reconcile(ledger.settle(served), ofLoad)]).toEqual([]);
}

test.each(["fast", "immediate"] as const)(
  "answers 503 while PostgreSQL is away (%s stop) and goes on by itself when it is back, with nothing lost",
  async (mode) => {
    await using folder = await temporaryFolder();
    await using postgres = await startPostgres({ durable: true });
    await using server = await startReadyServer({ home: folder.path, databaseUrl: postgres.url });
    using client = httpClient(server.url);
    const startedAt = await readMetric(client, "process_start_time_seconds");
    const auditor = createAuditor(postgres.url);
    const ledger = new Ledger();
    const random = seededRandom(freshSeed());
    const load = startVariableLoad({ url: server.url, ledger, random, clients: CLIENTS });

    for (const outage of [1, 2]) {
      await untilMoreAcknowledged(load);
      await postgres.stop(mode);
      await untilTrue("clients are refused", () => load.counts.unavailable >= outage * CLIENTS);
      await expectAway(client);
      await postgres.start();
      await expectBackInTime(client);
    }
    await untilMoreAcknowledged(load);
    await load.stop();

    expectOnlyRefusals(load);
    await expectNothingLost({ client, ledger, auditor });
    expect(await readMetric(client, "process_start_time_seconds")).toBe(startedAt);
    server.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 0, signal: null });
  },
);

test("answers 503 while PostgreSQL says nothing at all and goes on when it speaks again, with nothing lost", async () => {
  await using folder = await temporaryFolder();
  await using postgres = await startPostgres({ durable: true });
  await using wire = await startTcpProxy(() => postgres.port);
  const databaseUrl = postgres.url.replace(`:${postgres.port}/`, `:${wire.port}/`);
  await using server = await startReadyServer({ home: folder.path, databaseUrl });
  using client = httpClient(server.url);
  const auditor = createAuditor(postgres.url);
  const ledger = new Ledger();

  expect((await client.get("/api/ready")).status).toBe(200);
  const frozenAt = performance.now();
  wire.freeze();
  await untilNotReady(client, "with an idle connection at hand");
  expect(performance.now() - frozenAt, "a probe's patience").toBeLessThan(PROBE_MS);
  wire.thaw();
  await expectBackInTime(client);

  const random = seededRandom(freshSeed());
  const load = startVariableLoad({ url: server.url, ledger, random, clients: CLIENTS });
  await untilMoreAcknowledged(load);
  wire.freeze();
  await untilTrue("clients are refused", () => load.counts.unavailable > 0);
  await untilNotReady(client, "with all connections in use");
  expect((await client.get("/api/health")).text).toBe("true");
  wire.thaw();
  await expectBackInTime(client);
  await untilMoreAcknowledged(load);
  await load.stop();

  expectOnlyRefusals(load);
  await expectNothingLost({ client, ledger, auditor });
});

test("stops in order while PostgreSQL is away", async () => {
  await using folder = await temporaryFolder();
  await using postgres = await startPostgres();
  await using server = await startReadyServer({ home: folder.path, databaseUrl: postgres.url });
  using client = httpClient(server.url);
  await postgres.stop("fast");
  await untilNotReady(client);
  server.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test("stops in order while PostgreSQL says nothing at all", async () => {
  await using folder = await temporaryFolder();
  await using postgres = await startPostgres();
  await using wire = await startTcpProxy(() => postgres.port);
  const databaseUrl = postgres.url.replace(`:${postgres.port}/`, `:${wire.port}/`);
  await using server = await startReadyServer({ home: folder.path, databaseUrl });
  using client = httpClient(server.url);
  wire.freeze();
  await untilNotReady(client);
  server.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

async function untilMoreAcknowledged({ counts }: Load): Promise<void> {
  const before = counts.acknowledged;
  await untilTrue("writes are acknowledged", () => counts.acknowledged > before + 200);
}

function expectOnlyRefusals({ problems, counts, unavailable }: Load): void {
  expect(problems).toEqual([]);
  expect(counts.lost, "connections that broke").toBe(0);
  for (const answer of unavailable) expectUnavailable(answer, "a client's request");
}
