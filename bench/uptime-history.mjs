// How long questions about the past take when there is much of it: results are put into the tables
// past the server.
import { median } from "./measure.mjs";
import { startDatabase } from "./postgres.mjs";
import { databaseFile, startOurs, temporaryFolder } from "./servers.mjs";
import { openBenchSqlite, requireFromKernel } from "./sqlite.mjs";

const MONITORS = 1000;
const DAYS = 30;
const TIMES = 15;

export async function measureHistory({ sizes, postgres, onProgress, ...client }) {
  const history = [];
  for (const engine of ["SQLite", ...(postgres ? ["PostgreSQL"] : [])])
    for (const results of sizes) {
      history.push({ engine, results, questions: await measure({ engine, results, client }) });
      onProgress(`${engine}, ${results} results`);
    }
  return { history };
}

async function measure({ engine, results, client }) {
  const database = engine === "PostgreSQL" ? await startDatabase() : undefined;
  const folder = temporaryFolder();
  const options = { name: engine, folder, databaseUrl: database?.url, settings: client.settings };
  try {
    const first = await startOurs(options);
    // Paused, or they would be checked while others are asked about.
    const make = (n) =>
      client.createMonitor(first, { name: `m${n}`, url: "http://127.0.0.1:9", enabled: false });
    for (let n = 0; n < MONITORS; n += 20)
      await Promise.all(Array.from({ length: 20 }, (_, i) => make(n + i)));
    await first.stop();
    if (database === undefined) fillSqlite(databaseFile(folder), results);
    else await fillPostgres(database.url, results);
    const server = await startOurs(options);
    const id = await someMonitor(server, client);
    const questions = [];
    for (const [name, path] of questionsOf(id))
      questions.push({ name, ...(await time(server, path, client)) });
    await server.stop();
    return questions;
  } finally {
    await database?.stop();
  }
}

const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString();

const questionsOf = (id) => [
  ["latest 100 results", `/monitors/${id}/results`],
  [
    "1,000 results from the middle",
    `/monitors/${id}/results?limit=1000&until=${daysAgo(DAYS / 2)}`,
  ],
  ["results that are not up", `/monitors/${id}/results?status=down`],
  ["stats of 24 hours", `/monitors/${id}/stats`],
  ["stats of 90 days", `/monitors/${id}/stats?since=${daysAgo(90)}`],
  ["list of 1,000 monitors", "/monitors"],
];

async function someMonitor(server, client) {
  const text = await ask(server, "/monitors?limit=1&offset=500", client);
  return JSON.parse(text)[0].id;
}

async function ask({ port }, path, { authorization }) {
  const answer = await fetch(`http://127.0.0.1:${port}/uptime/api${path}`, {
    headers: { authorization },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

async function time(server, path, client) {
  const took = [];
  for (let n = 0; n < TIMES; n += 1) {
    const began = performance.now();
    await ask(server, path, client);
    took.push(performance.now() - began);
  }
  return { median: median(took), most: Math.max(...took) };
}

/** One result in a thousand is down. Hours and days are as the results would have left them. */
function fillSqlite(file, results) {
  const db = openBenchSqlite(file);
  db.exec("pragma synchronous = off; pragma cache_size = -1000000");
  const each = Math.floor(results / MONITORS);
  const at = `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', '-' || ((${each} - n) * ${(DAYS * 86_400) / each}) || ' seconds')`;
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${each})`;
  const id = "printf('%08x-0000-7000-8000-%012x', m.place, n)";
  db.exec("begin");
  db.exec(
    "create temp table m as select id, workspace_id, row_number() over () as place from monitors",
  );
  db.exec(`insert into check_results (id, workspace_id, monitor_id, checked_at, status, message, elapsed_ms, details, origin, inconclusive, maintenance)
    ${numbers} select ${id}, m.workspace_id, m.id, ${at}, case when n % 1000 = 0 then 'down' else 'up' end,
    'http: 200 OK', 12.5, '{"http":{"status_code":200,"timings":{"dns":0,"connect":0.4,"first_byte":11.2,"download":0.3}}}', 'schedule', 0, 0
    from m cross join numbers`);
  const rollups = (
    size,
    length,
    count,
  ) => `insert into result_rollups select m.workspace_id, m.id, '${size}',
    strftime('%Y-%m-%dT%H:%M:%S.000000Z', unixepoch('now') / ${length} * ${length} - n * ${length}, 'unixepoch'), ${Math.ceil((each * length) / (DAYS * 86_400))}, 0, 0, 0, 0,
    ${length * 1_000_000}, 0, 0, 12500, 12500, 12500, '{"93":1,"94":3,"99":2,"120":1}' from m cross join numbers where n <= ${count}`;
  const many =
    "with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 2000)";
  db.exec(rollups("hour", 3600, DAYS * 24).replace("select", `${many} select`));
  db.exec(rollups("day", 86_400, DAYS).replace("select", `${many} select`));
  db.exec("commit");
  db.close();
}

async function fillPostgres(url, results) {
  const { Client } = requireFromKernel("pg");
  const client = new Client(url);
  await client.connect();
  const each = Math.floor(results / MONITORS);
  const time = (moment) =>
    `to_char((${moment}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  await client.query(`insert into check_results (id, workspace_id, monitor_id, checked_at, status, message, elapsed_ms, details, origin, inconclusive, maintenance)
    select gen_random_uuid(), m.workspace_id, m.id, ${time(`now() - (${each} - n) * interval '${(DAYS * 86_400) / each} seconds'`)},
    case when n % 1000 = 0 then 'down' else 'up' end, 'http: 200 OK', 12.5,
    '{"http":{"status_code":200,"timings":{"dns":0,"connect":0.4,"first_byte":11.2,"download":0.3}}}', 'schedule', false, false
    from monitors m cross join generate_series(1, ${each}) n`);
  for (const [size, length, count] of [
    ["hour", 3600, DAYS * 24],
    ["day", 86_400, DAYS],
  ])
    await client.query(`insert into result_rollups select m.workspace_id, m.id, '${size}',
      ${time(`to_timestamp(floor(extract(epoch from now()) / ${length}) * ${length} - n * ${length})`)}, ${Math.ceil((each * length) / (DAYS * 86_400))}, 0, 0, 0, 0,
      ${length * 1_000_000}, 0, 0, 12500, 12500, 12500, '{"93":1,"94":3,"99":2,"120":1}' from monitors m cross join generate_series(0, ${count}) n`);
  await client.query("analyze");
  await client.end();
}
