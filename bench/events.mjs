// Events: what it costs to take them in, with everything that follows from it, and how soon an
// action follows.
import { setTimeout as sleep } from "node:timers/promises";
import { sendByRequest, sendBySocket, timeActions } from "./events-load.mjs";
import { median } from "./measure.mjs";
import { startDatabase } from "./postgres.mjs";
import { startOurs } from "./servers.mjs";

const NAME = "bench.order.moved";
const FIRING = "bench.order.failed";
const CREATE_AT_ONCE = 16;
const IDLE_SECONDS = 2;
const LOOK_MS = 250;
const LATENCY = { name: FIRING, count: 200, everyMs: 50 };

/** What the servers hold: automations of which some expect the events that are sent. */
function loadsFor(postgres) {
  // Automations are created one after another, and on PostgreSQL each costs a commit and some ten
  // round trips.
  const many = postgres ? 1000 : 10_000;
  return [
    { title: "no automations", others: 0, matching: 0 },
    { title: "100, none matches", others: 100, matching: 0 },
    { title: `${many.toLocaleString("en")}, none matches`, others: many, matching: 0 },
    { title: "100, 10 match", others: 90, matching: 10 },
  ];
}

const WAYS = [
  {
    title: "REST, 50 each",
    send: (server, seconds) =>
      sendByRequest(server, { name: NAME, seconds, connections: 4, perRequest: 50 }),
  },
  {
    title: "socket, one by one",
    send: (server, seconds) => sendBySocket(server, { name: NAME, seconds, connections: 4 }),
  },
];

export async function measureEvents({ rounds, seconds, postgres, onProgress }) {
  const servers = [];
  try {
    for (const load of loadsFor(postgres)) {
      onProgress(`server with ${load.title}`);
      servers.push(await startLoaded(load, postgres));
    }
    const cells = servers.flatMap((server) => WAYS.map((way) => ({ server, way, rounds: [] })));
    for (const { server, way } of cells) await measure(server, way, seconds / 2);
    for (let round = 1; round <= rounds; round += 1) {
      for (const cell of cells) cell.rounds.push(await measure(cell.server, cell.way, seconds));
      onProgress(`round ${round} of ${rounds}`);
    }
    const last = servers.at(-1);
    await createAutomation(last, { name: "at once", expect: FIRING, threshold: 1 });
    const took = await timeActions(last, LATENCY);
    onProgress("time from event to action");
    const tables = WAYS.map((way) => ({
      way: way.title,
      rows: cells.filter((cell) => cell.way === way).map(summary),
    }));
    return { engine: postgres ? "PostgreSQL" : "SQLite", tables, latency: percentiles(took) };
  } finally {
    for (const server of servers) await server.end();
  }
}

async function startLoaded({ title, others, matching }, postgres) {
  const database = postgres ? await startDatabase() : undefined;
  const server = await startOurs({ name: title, databaseUrl: database?.url });
  const end = async () => {
    await server.stop();
    await database?.stop();
  };
  const wanted = [
    ...Array.from({ length: others }, (_, n) => ({
      name: `other ${n}`,
      expect: `bench.other.${n}`,
    })),
    ...Array.from({ length: matching }, (_, n) => ({ name: `counts ${n}`, expect: NAME })),
  ];
  try {
    const create = async () => {
      for (let next = wanted.pop(); next !== undefined; next = wanted.pop())
        await createAutomation(server, { ...next, threshold: 100 });
    };
    await Promise.all(Array.from({ length: CREATE_AT_ONCE }, create));
    await settled(server);
  } catch (error) {
    await end();
    throw error;
  }
  return { ...server, title, end };
}

/** Every `threshold`-th event fires, and nothing is done. */
async function createAutomation(server, { name, expect, threshold }) {
  const trigger = { type: "event", posture: "Reactive", expect: [expect], threshold, within: 0 };
  const response = await server.post("/api/automations/", {
    name,
    trigger,
    actions: [{ type: "do-nothing" }],
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${server.name}: ${response.status} ${text}`);
}

/**
 * CPU of the server for each event, until everybody has read it; what it uses when idle is left
 * out.
 */
async function measure(server, { send }, seconds) {
  await settled(server);
  const idle = await idleShare(server);
  const [before, began] = [await server.cpuSeconds(), performance.now()];
  const { events, errors } = await send(server, seconds);
  const sentSeconds = (performance.now() - began) / 1000;
  await settled(server);
  const wall = (performance.now() - began) / 1000;
  const cpu = (await server.cpuSeconds()) - before - idle * wall;
  return { cpuMicros: (cpu / events) * 1e6, perSecond: events / sentSeconds, events, errors };
}

/**
 * Waits until those who act on events have read all of them, and nothing more follows. Where there
 * are no SLAs, theirs is a reader that only looks once a minute, so it is not waited for.
 */
async function settled(server) {
  for (let before = ""; ; ) {
    const metrics = await server.metrics();
    const [head = ""] = /^event_log_head_position \d+$/m.exec(metrics) ?? [];
    const lags = [...metrics.matchAll(/^event_log_lag\{consumer="([^"]*)"\} (\d+)$/gm)];
    const isRead = lags.every(([, consumer, lag]) => consumer === "slas" || lag === "0");
    if (isRead && head === before) return;
    before = head;
    await sleep(LOOK_MS);
  }
}

/** Asked once for each server. */
const idleShares = new Map();
async function idleShare(server) {
  if (!idleShares.has(server)) {
    const before = await server.cpuSeconds();
    await sleep(IDLE_SECONDS * 1000);
    idleShares.set(server, ((await server.cpuSeconds()) - before) / IDLE_SECONDS);
  }
  return idleShares.get(server);
}

function summary({ server, rounds }) {
  const cpuMicros = median(rounds.map((round) => round.cpuMicros));
  return {
    name: server.title,
    cpuMicros,
    perCpuSecond: 1e6 / cpuMicros,
    perSecond: median(rounds.map((round) => round.perSecond)),
    events: rounds.reduce((sum, { events }) => sum + events, 0),
    errors: Object.assign({}, ...rounds.map(({ errors }) => errors)),
  };
}

function percentiles(took) {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const { count, everyMs } = LATENCY;
  return { count, everyMs, heard: took.length, p50: at(0.5), p99: at(0.99), most: sorted.at(-1) };
}
