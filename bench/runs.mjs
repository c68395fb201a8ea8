// Flow runs: what the operations of an orchestrator cost ours, the floor and another server that
// takes the same requests.
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  allMicros,
  countErrors,
  measureInRounds,
  median,
  ratio,
  startLoadProcess,
} from "./measure.mjs";
import { findPeer, startPeer } from "./peer.mjs";
import { startDatabase } from "./postgres.mjs";
import { makeFixture, preloadRuns } from "./runs-fixture.mjs";
import { OPERATIONS } from "./runs-requests.mjs";
import { measureScheduledRuns, measureSchedules } from "./runs-schedules.mjs";
import { databaseFile, startOurs, startRunsFloor, temporaryFolder } from "./servers.mjs";

/**
 * Until everything that is run often has been compiled for good; a server that stays up is past
 * that.
 */
const WARM_UP = { warmUpSeconds: 12, mostWarmUps: 5 };
const IDLE_SECONDS = 6;
// Both sides take the same requests.
const SETTINGS = { ORCHESTRATOR_SERVER_DIALECT: "prefect" };
const UNASKED = { schedules: measureSchedules, kept: measureScheduledRuns };
const DEPLOYMENTS = { ours: 1000, peer: 50 };
/** From the fewest runs to the most, an indexed operation may become so much dearer. */
export const GROWTH_TARGET = 1.5;

export function chooseOperations(only) {
  const wanted = only?.split(",") ?? OPERATIONS.map(({ name }) => name);
  const unknown = wanted.find((name) => !OPERATIONS.some((operation) => operation.name === name));
  if (unknown !== undefined) {
    const names = OPERATIONS.map(({ name }) => name).join(", ");
    throw new RangeError(`--only does not know ${JSON.stringify(unknown)}; it knows ${names}`);
  }
  return OPERATIONS.filter(({ name }) => wanted.includes(name));
}

export async function compareRuns({ sizes, postgres, peer: given, operations, ...options }) {
  const stops = [];
  const load = startLoadProcess();
  const { command, absence } = findPeer(given);
  try {
    const servers = [];
    for (const rows of sizes) {
      servers.push(
        ...(await startWithRuns({ rows, postgres, stops, isLast: rows === sizes.at(-1) })),
      );
      options.onProgress(`${rows} runs are in place`);
    }
    const notes = absence === undefined ? [] : [absence];
    if (command !== undefined) {
      try {
        servers.push(await startPeerWithRuns({ command, rows: sizes.at(-1), postgres, stops }));
        options.onProgress(`${servers.at(-1).name} holds them too`);
      } catch (error) {
        notes.push(`Left out: ${error.message}`);
      }
    }
    const idle = await measureIdle(servers);
    const results = [];
    for (const operation of operations) {
      const cells = await measureOperation(load, { ...options, operation, servers, idle, notes });
      results.push(summary(operation, cells));
      options.onProgress(operation.title);
    }
    const peer = servers.find(({ role }) => role === "peer")?.name;
    return {
      engine: postgres ? "PostgreSQL" : "SQLite",
      sizes,
      peer,
      notes,
      operations: results,
    };
  } finally {
    load.stop();
    for (const stop of stops.reverse()) await stop();
  }
}

/** Ours with so many runs, and with the most of them the floor on a copy of the same database. */
export async function startWithRuns({ rows, postgres, stops, isLast = false, checkout }) {
  const folder = temporaryFolder();
  const database = postgres ? await startDatabase() : undefined;
  if (database !== undefined) stops.push(() => database.stop());
  const started = { name: `ours, ${rows}`, folder, databaseUrl: database?.url, checkout };
  const start = () => startOurs({ ...started, settings: SETTINGS });
  const first = await start();
  const made = await makeFixture(first);
  const record = await (await first.get(`/api/flow_runs/${made.kinds[0]}`)).text();
  // SQLite is filled while no server holds the file.
  await first.stop();
  const place = database === undefined ? { file: databaseFile(folder) } : { url: database.url };
  const fixture = await preloadRuns({ product: "ours", ...place }, made, rows);
  const servers = [];
  if (isLast && !postgres) {
    const floor = await startRunsFloor({ name: "floor", original: folder, record });
    servers.push({ ...floor, role: "floor", fixture });
  }
  const ours = await start();
  servers.unshift({ ...ours, role: "ours", fixture, database });
  for (const server of servers) stops.push(() => server.stop());
  return servers;
}

async function startPeerWithRuns({ command, rows, postgres, stops }) {
  const database = postgres ? await startDatabase() : undefined;
  if (database !== undefined) stops.push(() => database.stop());
  const peer = await startPeer({ command, databaseUrl: database?.url });
  stops.push(() => peer.stop());
  const made = await makeFixture(peer);
  const place =
    database === undefined ? { file: join(peer.folder, "prefect.db") } : { url: database.url };
  const fixture = await preloadRuns({ product: "peer", ...place }, made, rows);
  return { ...peer, role: "peer", fixture, database };
}

/**
 * CPU seconds per second of each with nobody asking; long enough for what servers do every few
 * seconds.
 */
export async function measureIdle(servers) {
  for (const server of servers) await server.quiet?.();
  const read = () => Promise.all(servers.map((server) => server.cpuSeconds()));
  const [before, started] = [await read(), performance.now()];
  await sleep(IDLE_SECONDS * 1000);
  const [after, seconds] = [await read(), (performance.now() - started) / 1000];
  return new Map(servers.map((server, i) => [server, (after[i] - before[i]) / seconds]));
}

/**
 * Ours and the floor must give the right answers; the peer is left out of an operation that it
 * fails, with a note.
 */
async function measureOperation(load, { operation, servers, idle, rounds, seconds, notes }) {
  const cells = [];
  for (const server of servers) {
    if (server.role === "floor" && !operation.hasFloor) continue;
    try {
      cells.push(await prepare(operation, server, { first: cells[0], idle: idle.get(server) }));
    } catch (error) {
      if (server.role !== "peer") throw error;
      notes.push(`Left out: ${error.message.split("\n")[0]}`);
    }
  }
  if (operation.work === undefined) return cells;
  const measured = await measureInRounds(load, cells, { rounds, seconds, ...WARM_UP, idle });
  return cells.map((cell, i) => ({ ...cell, rounds: measured[i] }));
}

async function prepare(operation, server, { first, idle }) {
  if (operation.work === undefined) {
    const deployments = DEPLOYMENTS[server.role];
    return { server, rounds: await UNASKED[operation.name](server, { deployments, idle }) };
  }
  const work = operation.work(server.fixture);
  const fields = operation.holds && (await checkAnswer(operation, server, work));
  const others = fields?.filter((field) => !(first?.fields ?? fields).includes(field));
  assert.ok(!others?.length, `${server.name}, ${operation.title}: only there: ${others}`);
  return { server, work, fields };
}

/**
 * Nobody compares what different answers cost: each must hold what was asked for. Returns the names
 * of its fields.
 */
async function checkAnswer({ title, holds }, server, { requests, expectedStatus }) {
  const [head, body] = requests[0].split("\r\n\r\n");
  const path = head.split(" ")[1];
  const response = await (body === "" ? server.get(path) : server.post(path, JSON.parse(body)));
  const text = await response.text();
  const what = `${server.name}, ${title}`;
  assert.equal(String(response.status), expectedStatus, `${what}: ${response.status} ${text}`);
  const answer = text === "" ? null : JSON.parse(text);
  assert.ok(holds(answer, server.fixture), `${what}: not the answer: ${text.slice(0, 300)}`);
  return fieldsOf(answer);
}

/** The names of the fields, of a list those of its first element. */
const fieldsOf = (answer) => Object.keys((Array.isArray(answer) ? answer[0] : answer) ?? {});

function summary({ name, title, target, isIndexed = false }, cells) {
  const ours = cells.filter(({ server }) => server.role === "ours");
  const [fewest, most] = [ours[0], ours.at(-1)];
  const described = ({ server, rounds }) => ({
    role: server.role,
    rows: server.fixture.rows,
    cpuMicros: median(rounds.map(({ cpuMicros }) => cpuMicros)),
    databaseMicros: median(rounds.map(({ databaseMicros = Number.NaN }) => databaseMicros)),
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    requests: rounds.reduce((sum, { requests }) => sum + requests, 0),
    errors: countErrors(rounds),
    ...(server.role === "ours" && server !== fewest.server
      ? { growth: ratio(rounds, fewest.rounds).median }
      : {}),
    ...(server.role === "floor" ? { oursToThis: ratio(most.rounds, rounds) } : {}),
    ...(server.role === "peer"
      ? {
          thisToOurs: ratio(rounds, most.rounds),
          thisToOursInAll: ratio(rounds, most.rounds, allMicros),
        }
      : {}),
  });
  return { name, title, target, isIndexed, cells: cells.map(described) };
}
