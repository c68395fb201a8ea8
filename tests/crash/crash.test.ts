// Kills the server, and sometimes PostgreSQL, under load, again and again on the same data.
//
// CRASH_ROUNDS=500 makes it long; CRASH_SEED=… makes the same choices again.
import { setTimeout as sleep } from "node:timers/promises";
import {
  createTestPostgres,
  type PostgresServer,
  rounds,
  startPostgres,
} from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { httpClient } from "../support/http-client.ts";
import { Ledger } from "../support/ledger.ts";
import { listVariables } from "../support/list-variables.ts";
import { freshSeed, type Random, seededRandom } from "../support/random.ts";
import {
  launchServer,
  type ServerOptions,
  type ServerProcess,
  startReadyServer,
} from "../support/server-process.ts";
import {
  type Auditor,
  createAuditor,
  openSecondConnection,
  reconcile,
} from "../support/stored-variables.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil, untilTrue } from "../support/until.ts";
import { type Load, startVariableLoad } from "../support/variable-load.ts";

const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? rounds(5, 20));
const SEED = Number(process.env["CRASH_SEED"] ?? freshSeed());
const CLIENTS = 16;
const ROUND_DEADLINE_MS = 30_000;
const TIMEOUT_MS = 60_000 + ROUNDS * ROUND_DEADLINE_MS;

interface Victim {
  readonly options: ServerOptions & { readonly databaseUrl: string };
  readonly postgres: PostgresServer | null;
  server: ServerProcess;
}

interface Tally {
  acknowledged: number;
  unknown: number;
  events: number;
}

test("keeps every acknowledged write and leaves nothing half done when it is killed [sqlite]", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using folder = await temporaryFolder();
  const databaseUrl = `sqlite:${folder.path}/data.db`;
  await crashAgainAndAgain({ home: folder.path, databaseUrl }, null);
});

test("keeps every acknowledged write and leaves nothing half done when it or the database is killed [postgres]", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using folder = await temporaryFolder();
  await using postgres = await startPostgres({ durable: true });
  await crashAgainAndAgain({ home: folder.path, databaseUrl: postgres.url }, postgres);
});

/** Early enough to meet the migrations, late enough to meet the first moments of service. */
const LATEST_KILL_MS = 1200;
const CUT_STARTS = Math.ceil(ROUNDS / 4);

test("sets itself up after starts that were cut short at random moments [sqlite]", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using folder = await temporaryFolder();
  for (let round = 1; round <= CUT_STARTS; round += 1) {
    const home = `${folder.path}/${round}`;
    await cutStartShort({ home, databaseUrl: `sqlite:${home}/orchestrator.db` }, round);
  }
});

test("sets itself up after starts that were cut short at random moments [postgres]", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using folder = await temporaryFolder();
  for (let round = 1; round <= CUT_STARTS; round += 1) {
    const { url, drop } = await createTestPostgres();
    await cutStartShort({ home: `${folder.path}/${round}`, databaseUrl: url }, round);
    await drop();
  }
});

async function cutStartShort(options: Victim["options"], round: number): Promise<void> {
  const random = seededRandom(SEED + round);
  const command = launchServer(options);
  await sleep(random.integer(0, LATEST_KILL_MS));
  command.kill("SIGKILL");
  await command.exited;
  await using server = await startReadyServer(options);
  using client = httpClient(server.url);
  const variable = { name: "after", value: round };
  expect((await client.send("POST", "/api/variables/", variable)).status).toBe(201);
  const { stored, problems } = await createAuditor(options.databaseUrl).audit();
  expect([...stored.keys()]).toEqual(["after"]);
  expect(problems).toEqual([]);
}

async function crashAgainAndAgain(
  options: Victim["options"],
  postgres: PostgresServer | null,
): Promise<void> {
  const random = seededRandom(SEED);
  const ledger = new Ledger();
  const auditor = createAuditor(options.databaseUrl);
  const tally: Tally = { acknowledged: 0, unknown: 0, events: 0 };
  const victim: Victim = { options, postgres, server: await startReadyServer(options) };
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const load = startVariableLoad({ url: victim.server.url, ledger, random, clients: CLIENTS });
      await killUnderLoad(victim, { load, random, round });
      const problems = [...load.problems, ...(await check(victim, { ledger, auditor, tally }))];
      expect(problems, `CRASH_SEED=${SEED}, round ${round}`).toEqual([]);
    }
  } finally {
    await victim.server[Symbol.asyncDispose]();
  }
  console.log(
    `CRASH_SEED=${SEED}: ${ROUNDS} crashes, ${tally.acknowledged} writes acknowledged and none lost, ` +
      `${tally.unknown} without an answer and none half there, ${tally.events} events`,
  );
  expect(tally.acknowledged).toBeGreaterThan(ROUNDS);
  expect(tally.unknown).toBeGreaterThanOrEqual(rounds(0, 1));
}

interface Round {
  readonly load: Load;
  readonly random: Random;
  readonly round: number;
}

async function killUnderLoad(victim: Victim, { load, random, round }: Round): Promise<void> {
  const { postgres } = victim;
  await untilAcknowledged(load, random.integer(1, 300));
  await sleep(random.integer(0, 20)); // between two answers, not only right after one
  if (postgres === null || round % 4 !== 0) {
    await killServer(victim, load);
    return;
  }
  const stopped = postgres.stop("immediate");
  if (round % 8 === 0) {
    await killServer(victim, load, () => stopped.then(postgres.start));
    return;
  }
  await stopped;
  await postgres.start();
  await untilAcknowledged(load, load.counts.acknowledged + CLIENTS);
  await load.stop();
  expect(load.counts.lost, "connections lost although the server stayed").toBe(0);
}

async function killServer(
  victim: Victim,
  load: Load,
  beforeRestart: () => Promise<void> = async () => {},
): Promise<void> {
  victim.server.kill("SIGKILL");
  expect(await victim.server.exited).toEqual({ code: null, signal: "SIGKILL" });
  await load.ended;
  await beforeRestart();
  if (victim.postgres !== null) await untilSessionsEnded(victim.options.databaseUrl);
  victim.server = await startReadyServer(victim.options);
}

async function untilAcknowledged(load: Load, count: number): Promise<void> {
  await untilTrue(`${count} writes are acknowledged`, () => load.counts.acknowledged >= count);
}

/**
 * PostgreSQL may still commit for a client that has died; what it does must not fall into the
 * audit.
 */
async function untilSessionsEnded(databaseUrl: string): Promise<void> {
  const db = openSecondConnection(databaseUrl);
  const sql = "select count(*) from pg_stat_activity where application_name = 'orchestrator'";
  try {
    await retryUntil(async () => {
      expect(await db.in("").select({ sql, values: [] })).toEqual({ count: 0 });
    });
  } finally {
    await db.close();
  }
}

interface Check {
  readonly ledger: Ledger;
  readonly auditor: Auditor;
  readonly tally: Tally;
}

async function check({ server }: Victim, { ledger, auditor, tally }: Check): Promise<string[]> {
  using client = httpClient(server.url);
  const served = await listVariables(client);
  const { stored, changes, problems } = await auditor.audit();
  expect(served, "what the API shows is what is stored").toEqual(stored);
  const broken = ledger.problemsWith(served);
  const writes = ledger.settle(served);
  tally.events += changes.length;
  for (const { fate } of writes) {
    if (fate === "acknowledged") tally.acknowledged += 1;
    else if (fate === "unknown") tally.unknown += 1;
  }
  return [...problems, ...broken, ...reconcile(writes, changes)];
}
