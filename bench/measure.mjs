// Puts a server under load and tells what a request costs it.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endWithUs } from "./servers.mjs";

const LOAD = fileURLToPath(new URL("load.mjs", import.meta.url));
const IDLE_LOOKS = 5;
const IDLE_SECONDS = 0.4;
/**
 * Under load before its time is taken: one that stood still while others were measured has to get
 * going first.
 */
const LEAD_IN_SECONDS = 0.5;
const FEW_ANSWERS = 20;
const MOST_RUNS = 10;
/** Less than this share of the least that a request cost before. */
const STILL_WARMING = 0.95;

export function startLoadProcess() {
  const child = endWithUs(fork(LOAD));
  return {
    async tell(command, input = {}) {
      child.send({ command, ...input });
      const [answer] = await once(child, "message");
      return answer;
    },
    stop: () => child.disconnect(),
  };
}

/**
 * CPU seconds per second that each server spends on its own, with nobody asking anything. The
 * median of short looks, because a server that has just started or worked may still be tidying up.
 */
async function measureIdle(servers) {
  const looks = servers.map(() => []);
  let before = await Promise.all(servers.map((server) => server.cpuSeconds()));
  for (let look = 0; look < IDLE_LOOKS; look += 1) {
    await sleep(IDLE_SECONDS * 1000);
    const after = await Promise.all(servers.map((server) => server.cpuSeconds()));
    for (const [i, cpu] of after.entries()) looks[i].push((cpu - before[i]) / IDLE_SECONDS);
    before = after;
  }
  return new Map(servers.map((server, i) => [server, median(looks[i])]));
}

/**
 * One cell of a table: the server's CPU time per request (idle subtracted), and how many it
 * answered.
 */
async function measure(load, server, { work, seconds, idle }) {
  const { connections = work.connections, patience = 1 } = server;
  await load.tell("open", { port: server.port, count: connections });
  await load.tell("run", { ...work, seconds: LEAD_IN_SECONDS * patience });
  const before = await readClocks(server);
  const done = await runUntilTold(load, { ...work, seconds: seconds * patience });
  const after = await readClocks(server);
  await load.tell("close");
  const cpu = after.own - before.own - (idle.get(server) ?? 0) * done.seconds;
  const database = after.database - before.database;
  return {
    cpuMicros: (cpu / done.requests) * 1e6,
    databaseMicros: (database / done.requests) * 1e6,
    perSecond: done.requests / done.seconds,
    requests: done.requests,
    errors: done.errors,
  };
}

/** What a database of its own has used is not known of every server. */
async function readClocks({ cpuSeconds, database }) {
  return { own: await cpuSeconds(), database: (await database?.cpuSeconds?.()) ?? Number.NaN };
}

/** Of a few answers the CPU cannot be told from that of an idle server. */
async function runUntilTold(load, work) {
  const all = { requests: 0, seconds: 0, errors: {} };
  for (let times = 0; times < MOST_RUNS && all.requests < FEW_ANSWERS; times += 1) {
    const done = await load.tell("run", work);
    all.requests += done.requests;
    all.seconds += done.seconds;
    all.errors = countErrors([all, done]);
  }
  return all;
}

/**
 * Again until a request has not become cheaper twice in a row: what is run often is compiled bit by
 * bit, and that takes CPU too. A server in another language may be warm sooner.
 */
async function warmUp(load, server, { most, ...options }) {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 1, inVain = 0; times <= (server.mostWarmUps ?? most) && inVain < 2; times += 1) {
    const { cpuMicros } = await measure(load, server, options);
    inVain = cpuMicros > least * STILL_WARMING ? inVain + 1 : 0;
    least = Math.min(least, cpuMicros);
  }
}

/**
 * Measures every cell once per round, one after the other, so that whatever else the machine does
 * falls on all of them alike; `alternates` begins every other round with the last. Answers a list
 * of rounds for each cell.
 */
export async function measureInRounds(load, cells, options) {
  const { rounds, seconds, warmUpSeconds, mostWarmUps = 1, alternates = false, onRound } = options;
  const idle = options.idle ?? (await measureIdle([...new Set(cells.map(({ server }) => server))]));
  for (const { server, work } of cells) {
    await warmUp(load, server, { work, seconds: warmUpSeconds, idle, most: mostWarmUps });
  }
  const measured = cells.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    const order = [...cells.entries()];
    if (alternates && round % 2 === 0) order.reverse();
    for (const [index, { server, work }] of order) {
      // What another still does after its answers would slow this one down.
      for (const { server: other } of cells) await other.quiet?.();
      measured[index].push(await measure(load, server, { work, seconds, idle }));
    }
    onRound?.(round);
  }
  return measured;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const ownMicros = ({ cpuMicros }) => cpuMicros;
export const allMicros = ({ cpuMicros, databaseMicros }) => cpuMicros + databaseMicros;

/** Round by round, because only neighbours in time can be compared. */
export function ratio(ours, floor, micros = ownMicros) {
  const perRound = ours.map((round, i) => micros(round) / micros(floor[i]));
  return { median: median(perRound), least: Math.min(...perRound), most: Math.max(...perRound) };
}

export function countErrors(rounds) {
  const total = {};
  for (const { errors } of rounds) {
    for (const [what, count] of Object.entries(errors)) total[what] = (total[what] ?? 0) + count;
  }
  return total;
}
