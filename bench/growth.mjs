// How the cost of a request grows with the number of rows.
import { countErrors, measureInRounds, median, ratio, startLoadProcess } from "./measure.mjs";
import { startDatabase } from "./postgres.mjs";
import { preloadedId, preloadPostgres, preloadSqlite } from "./preload.mjs";
import { createLoad, listLoad, readLoad } from "./requests.mjs";
import { databaseFile, startOurs, temporaryFolder } from "./servers.mjs";

const WARM_UP_SECONDS = 0.5;
const READ_IDS = 1000;

const OPERATIONS = [
  ["read by id", (rows) => readLoad(spreadIds(rows))],
  ["filter, limit 200", () => listLoad("/api/variables/filter", { limit: 200 })],
  [
    "filter, name like_",
    () => listLoad("/api/variables/filter", { variables: { name: { like_: "eedl" } } }),
  ],
  ["count", () => listLoad("/api/variables/count", {})],
  // Last, because it is the one that adds rows.
  ["create", () => createLoad()],
];

export async function measureGrowth({ sizes, seconds, rounds, postgres, onProgress }) {
  const stops = [];
  const load = startLoadProcess();
  try {
    const servers = [];
    for (const rows of sizes) {
      servers.push(await (postgres ? startOnPostgres(rows, stops) : startOnSqlite(rows, stops)));
      onProgress(`${rows} rows are in place`);
    }
    const operations = [];
    for (const [name, workFor] of OPERATIONS) {
      const cells = servers.map((server, i) => ({ server, work: workFor(sizes[i]) }));
      const options = { rounds, seconds, warmUpSeconds: WARM_UP_SECONDS };
      const measured = await measureInRounds(load, cells, options);
      operations.push({ name, cells: measured.map((cell) => summary(cell, measured[0])) });
      onProgress(name);
    }
    const engine = postgres ? "PostgreSQL" : "SQLite";
    const rowsAtEnd = await Promise.all(servers.map(countRows));
    return { engine, sizes, operations, rowsAtEnd };
  } finally {
    load.stop();
    for (const stop of stops.reverse()) await stop();
  }
}

function summary(rounds, smallest) {
  return {
    cpuMicros: median(rounds.map(({ cpuMicros }) => cpuMicros)),
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    growth: ratio(rounds, smallest).median,
    errors: countErrors(rounds),
  };
}

/** A first start makes the tables; the rows are put in while no server holds the file. */
async function startOnSqlite(rows, stops) {
  const folder = temporaryFolder();
  const first = await startOurs({ name: "first", folder });
  await first.stop();
  preloadSqlite(databaseFile(folder), rows);
  const server = await startOurs({ name: `${rows} rows`, folder });
  stops.push(() => server.stop());
  return server;
}

async function startOnPostgres(rows, stops) {
  const database = await startDatabase();
  stops.push(() => database.stop());
  const server = await startOurs({ name: `${rows} rows`, databaseUrl: database.url });
  stops.push(() => server.stop());
  await preloadPostgres(database.url, rows);
  return server;
}

function spreadIds(rows) {
  const count = Math.min(rows, READ_IDS);
  return Array.from({ length: count }, (_, i) => preloadedId(Math.floor((i * rows) / count)));
}

async function countRows(server) {
  return Number(await (await server.post("/api/variables/count", {})).text());
}
