// Kills the server while monitors are checked: what was shown stays, each change of status has its
// event, checks go on where they should, and no two processes check the same target at once.
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "@orchestrator/kernel/log";
import { openDatabase } from "@orchestrator/kernel/storage";
import { rounds, startPostgres } from "@orchestrator/kernel/testing";
import { describe, expect, test } from "vitest";
import { type CheckTargetServer, startCheckTarget } from "../support/check-target.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { freshSeed, type Random, seededRandom } from "../support/random.ts";
import {
  type ServerOptions,
  type ServerProcess,
  startReadyServer,
} from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { untilTrue } from "../support/until.ts";

const ROUNDS = Number(process.env["UPTIME_CRASH_ROUNDS"] ?? rounds(1, 2));
const SEED = Number(process.env["CRASH_SEED"] ?? freshSeed());
const MONITORS = 60;
const PASSWORD = "crash";
const TIMEOUT_MS = 120_000 + ROUNDS * 60_000;
/** So many results were shown before a server is killed. */
const FLOWING = 2 * MONITORS;

interface Result {
  readonly id: string;
  readonly status: string;
  readonly checked_at: string;
}

interface StatusEvent {
  readonly id: string;
  readonly payload: { readonly result_id: string; readonly status: string };
}

/** Monitor → the results that were shown. */
type Ledger = Map<string, Map<string, Result>>;

const settings = { UPTIME_PASSWORD: PASSWORD, UPTIME_MIN_INTERVAL: "1s" };

const clientOf = ({ url }: ServerProcess): HttpClient =>
  httpClient(url.replace("://", `://admin:${PASSWORD}@`));

async function createMonitors(client: HttpClient, port: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < MONITORS; n += 1) {
    const url = `http://127.0.0.1:${port}/${n}`;
    const body = { name: `monitor ${n}`, url, interval: 1 };
    const answer = await client.send("POST", "/uptime/api/monitors", body);
    expect(answer.status, answer.text).toBe(201);
    ids.push(answer.json<{ id: string }>().id);
  }
  return ids;
}

function note(ledger: Ledger, monitor: string, results: readonly Result[]): void {
  const known = ledger.get(monitor) ?? new Map<string, Result>();
  for (const result of results) known.set(result.id, result);
  ledger.set(monitor, known);
}

const sizeOf = (ledger: Ledger): number =>
  [...ledger.values()].reduce((sum, results) => sum + results.size, 0);

/** Reads results, and asks for checks, until the server is gone. */
async function look(
  client: HttpClient,
  ids: readonly string[],
  { random, ledger }: { readonly random: Random; readonly ledger: Ledger },
): Promise<void> {
  for (;;) {
    const id = random.pick(ids);
    if (random.chance(0.2)) {
      const answer = await client.send("POST", `/uptime/api/monitors/${id}/check`);
      if (answer.status === 200) note(ledger, id, [answer.json<Result>()]);
    } else {
      const answer = await client.get(`/uptime/api/monitors/${id}/results?limit=20`);
      expect(answer.status).toBe(200);
      note(ledger, id, answer.json<Result[]>());
    }
  }
}

/** Every event that tells of a status. */
async function toldChanges(client: HttpClient): Promise<StatusEvent[]> {
  const name = ["Up", "Degraded", "Down"].map((verb) => `orchestrator.monitor.${verb}`);
  const filter = { event: { name } };
  const found: StatusEvent[] = [];
  let answer = await client.send("POST", "/api/events/filter", { filter, limit: 200 });
  for (;;) {
    const { events, next_page } = answer.json<{
      events: StatusEvent[];
      next_page: string | null;
    }>();
    found.push(...events);
    if (next_page === null) return found;
    const { pathname, search } = new URL(next_page);
    answer = await client.get(pathname + search);
  }
}

/** The results that say something else than the one before; the first only when it is not up. */
function changesIn(results: readonly Result[]): Result[] {
  return results.filter(({ status }, i) => status !== (results[i - 1]?.status ?? "up"));
}

/** What does not agree between what was shown and what is kept. */
async function disagreements(client: HttpClient, ledger: Ledger): Promise<string[]> {
  const problems: string[] = [];
  const kept = new Map<string, Result>();
  const changes = new Map<string, Result>();
  for (const [monitor, shown] of ledger) {
    const path = `/uptime/api/monitors/${monitor}/results?limit=1000&order=asc`;
    const results = (await client.get(path)).json<Result[]>();
    for (const result of results) kept.set(result.id, result);
    for (const change of changesIn(results)) changes.set(change.id, change);
    for (const { id, status } of shown.values()) {
      if (kept.get(id)?.status !== status) problems.push(`${monitor}: result ${id} is gone`);
    }
  }
  const told = (await toldChanges(client)).map(({ payload }) => payload);
  const events = told.map(({ result_id }) => result_id);
  for (const id of changes.keys()) {
    const count = events.filter((event) => event === id).length;
    if (count !== 1) problems.push(`change by ${id} was told of ${count} times`);
  }
  for (const { result_id } of told)
    if (kept.has(result_id) && !changes.has(result_id))
      problems.push(`${result_id} was told of and changed nothing`);
  return problems;
}

/**
 * Nobody was left out for longer than an interval: before any monitor is checked for the third
 * time, each has been checked once. Says so without a clock, which on a busy machine would say
 * something else.
 */
function leftOut(target: CheckTargetServer, numbers: readonly number[]): number[] {
  const seen = new Map<number, number>();
  for (const number of target.order()) {
    const count = (seen.get(number) ?? 0) + 1;
    seen.set(number, count);
    if (count === 3) return numbers.filter((each) => !seen.has(each));
  }
  return numbers.filter((each) => !seen.has(each));
}

const ALL = Array.from({ length: MONITORS }, (_, n) => n);

const everyoneCame = (target: CheckTargetServer): boolean => target.counts().size === MONITORS;

async function killOneServer(options: ServerOptions): Promise<void> {
  await using target = await startCheckTarget();
  const random = seededRandom(SEED);
  const ledger: Ledger = new Map();
  let ids: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    target.mark();
    await using server = await startReadyServer({ ...options, env: settings });
    using client = clientOf(server);
    if (ids.length === 0) ids = await createMonitors(client, target.port);
    else {
      await untilTrue("all are checked again", () => everyoneCame(target));
      expect(leftOut(target, ALL), `CRASH_SEED=${SEED}, round ${round}`).toEqual([]);
    }
    const shown = sizeOf(ledger);
    const looks = Array.from({ length: 4 }, () => look(client, ids, { random, ledger }));
    const ended = Promise.allSettled(looks);
    await untilTrue("results are shown", () => sizeOf(ledger) > shown + FLOWING);
    await sleep(random.integer(0, 500));
    server.kill("SIGKILL");
    await server.exited;
    await ended;
  }
  target.mark();
  await using server = await startReadyServer({ ...options, env: settings });
  using client = clientOf(server);
  await untilTrue("all are checked again", () => everyoneCame(target));
  expect(leftOut(target, ALL), `CRASH_SEED=${SEED}`).toEqual([]);
  expect(await disagreements(client, ledger), `CRASH_SEED=${SEED}`).toEqual([]);
  expect(target.overlaps(), `CRASH_SEED=${SEED}: checked twice at once`).toBe(0);
  console.log(`CRASH_SEED=${SEED}: ${ROUNDS} crashes, ${sizeOf(ledger)} results shown, none lost`);
}

/** One of two servers dies; the other goes on with its own and takes over the rest. */
async function killOneOfTwo(options: ServerOptions, folder: string): Promise<void> {
  await using target = await startCheckTarget();
  const random = seededRandom(SEED);
  const ledger: Ledger = new Map();
  const start = (name: string): Promise<ServerProcess> =>
    startReadyServer({ ...options, home: `${folder}/${name}`, env: settings });
  await using survivor = await start("survivor");
  using client = clientOf(survivor);
  const ids = await createMonitors(client, target.port);
  for (let round = 1; round <= Math.ceil(ROUNDS / 2); round += 1) {
    await using server = await start(`victim-${round}`);
    using other = clientOf(server);
    const shown = sizeOf(ledger);
    const looks = Array.from({ length: 4 }, () => look(other, ids, { random, ledger }));
    const ended = Promise.allSettled(looks);
    await untilTrue("results are shown", () => sizeOf(ledger) > shown + FLOWING);
    await sleep(random.integer(0, 2500));
    server.kill("SIGKILL");
    await server.exited;
    await ended;
    target.mark();
    await untilTrue("all are checked again", () => everyoneCame(target));
  }
  expect(await disagreements(client, ledger), `CRASH_SEED=${SEED}`).toEqual([]);
  expect(target.overlaps(), `CRASH_SEED=${SEED}: checked twice at once`).toBe(0);
  console.log(`CRASH_SEED=${SEED}: ${sizeOf(ledger)} results shown by two servers, none lost`);
}

/** Whoever waited for the hold of the dead one to end would wait for ever. */
async function holdForEver(url: string): Promise<unknown[]> {
  const log = createLogger({ level: "silent", format: "json" });
  const db = openDatabase({ url, maxConnections: 1, stats: { onCommit: () => {} }, log });
  try {
    return await db.exclusively((session) =>
      session.rows(
        "update engine_sessions set expires = '9999-01-01T00:00:00.000000Z' returning holder",
      ),
    );
  } finally {
    await db.close();
  }
}

async function killAndStartAgain(options: ServerOptions, databaseUrl: string): Promise<void> {
  await using target = await startCheckTarget();
  const start = () => startReadyServer({ ...options, databaseUrl, env: settings });
  {
    await using server = await start();
    using client = clientOf(server);
    await createMonitors(client, target.port);
    await untilTrue("all are checked", () => everyoneCame(target));
    server.kill("SIGKILL");
    await server.exited;
  }
  expect(await holdForEver(databaseUrl)).toHaveLength(1);
  target.mark();
  await using _server = await start();
  await untilTrue("all are checked again", () => everyoneCame(target));
  expect(leftOut(target, ALL)).toEqual([]);
}

describe("when it is killed while monitors are checked", () => {
  test("no result that was shown and no change of status is lost, and checks go on at once [sqlite]", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using folder = await temporaryFolder();
    await killOneServer({ home: folder.path });
  });

  test("another server takes over, and nothing is checked twice at once [postgres]", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using folder = await temporaryFolder();
    await using postgres = await startPostgres({ durable: true });
    await killOneOfTwo({ home: folder.path, databaseUrl: postgres.url }, folder.path);
  });

  test("started again, it takes its monitors at once, however long they were held for [postgres]", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using folder = await temporaryFolder();
    await using postgres = await startPostgres({ durable: true });
    await killAndStartAgain({ home: folder.path }, postgres.url);
  });
});
