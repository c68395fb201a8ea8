// Accounts: what the check of a key costs a request, and whether other workspaces make anything
// dearer.
import assert from "node:assert/strict";
import { countErrors, measureInRounds, median, ratio, startLoadProcess } from "./measure.mjs";
import { startDatabase } from "./postgres.mjs";
import { columns, errorCounts, number } from "./report.mjs";
import { startOurs } from "./servers.mjs";

const WARM_UP_SECONDS = 1;
const RUNS = 200;
/** Every other workspace has so many. */
const RUNS_ELSEWHERE = 10;
const AT_ONCE = 8;
const POOL = "bench";
const CONNECTIONS = 64;
const LIST_CONNECTIONS = 4;
const SETTINGS = {
  ORCHESTRATOR_SERVER_AUTH_MODE: "accounts",
  ORCHESTRATOR_AUTH_PUBLIC_URL: "http://127.0.0.1",
  // Shares are counted as ever and never used up.
  ORCHESTRATOR_FAIR_SHARE_PER_KEY: "1000000",
  ORCHESTRATOR_FAIR_SHARE_PER_WORKSPACE: "1000000",
};

export async function measureAccounts({ sizes, postgres, ...options }) {
  const engines = [];
  for (const engine of ["SQLite", ...(postgres ? ["PostgreSQL"] : [])])
    engines.push({ engine, ...(await measureEngine(engine, { sizes, ...options })) });
  return { sizes, engines };
}

async function measureEngine(engine, { sizes, rounds, seconds, onProgress }) {
  const stops = [];
  const load = startLoadProcess();
  try {
    const start = async (name, settings) => {
      const database = engine === "PostgreSQL" ? await startDatabase() : undefined;
      if (database !== undefined) stops.push(() => database.stop());
      const server = await startOurs({ name, databaseUrl: database?.url, settings });
      stops.push(() => server.stop());
      return server;
    };
    const open = await fill(await start("open", {}), { workspaces: 1 });
    const filled = [];
    for (const workspaces of sizes) {
      const server = await start(`${workspaces} workspaces`, SETTINGS);
      filled.push(await fill(server, { workspaces }));
      onProgress(`${engine}: ${workspaces} workspaces are in place`);
    }
    const operations = [];
    for (const { name, work } of OPERATIONS) {
      const cells = [open, ...filled].map(({ server, ...held }) => ({ server, work: work(held) }));
      const measured = await measureInRounds(load, cells, {
        rounds,
        seconds,
        warmUpSeconds: WARM_UP_SECONDS,
      });
      operations.push(summary(name, measured));
      onProgress(`${engine}: ${name}`);
    }
    return { operations };
  } finally {
    load.stop();
    for (const stop of stops.reverse()) await stop();
  }
}

/** The first list of rounds is that of the open server, the second that of one workspace. */
function summary(name, [open, ...withKeys]) {
  const [one] = withKeys;
  const cpuOf = (cell) => median(cell.map(({ cpuMicros }) => cpuMicros));
  return {
    name,
    openMicros: cpuOf(open),
    keyMicros: median(one.map(({ cpuMicros }, round) => cpuMicros - open[round].cpuMicros)),
    cells: withKeys.map((cell) => ({ cpuMicros: cpuOf(cell), growth: ratio(cell, one) })),
    errors: countErrors([open, ...withKeys].flat()),
  };
}

/** One workspace that is measured, and as many others as are missing. */
async function fill(server, { workspaces }) {
  const { ownerKey: key } = server;
  const ask = async (path, body, method = "POST") => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  const runIds = await makeRuns(ask, "", RUNS);
  if (key !== undefined) {
    const { account_id } = await ask("/me", undefined, "GET");
    const wanted = Array.from({ length: workspaces - 1 }, (_, i) => `w${i}`);
    const work = async () => {
      for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
        const made = await ask(`/accounts/${account_id}/workspaces`, { name, handle: name });
        await makeRuns(ask, `/accounts/${account_id}/workspaces/${made.id}`, RUNS_ELSEWHERE);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return { server, key, runIds };
}

async function makeRuns(ask, below, count) {
  const { id: flow_id } = await ask(`${below}/flows/`, { name: "bench" });
  await ask(`${below}/work_pools/`, { name: POOL, type: "process" });
  const deployment = { name: "bench", flow_id, work_pool_name: POOL };
  const { id } = await ask(`${below}/deployments/`, deployment);
  const later = { type: "SCHEDULED", state_details: { scheduled_time: "2036-01-01T00:00:00Z" } };
  const bodies = Array.from({ length: Math.min(count, 100) }, () => ({ state: later }));
  const runIds = [];
  while (runIds.length < count) {
    const { results } = await ask(`${below}/deployments/${id}/create_flow_run/bulk`, bodies);
    runIds.push(...results.map(({ flow_run_id }) => flow_run_id));
  }
  return runIds;
}

const headersOf = (key) => (key === undefined ? "" : `authorization: Bearer ${key}\r\n`);

const post = (path, key, content) => {
  const text = JSON.stringify(content);
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headersOf(key)}content-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
};

const OPERATIONS = [
  {
    name: "GET run",
    work: ({ key, runIds }) => ({
      connections: CONNECTIONS,
      expectedStatus: "200",
      requests: runIds.map(
        (id) => `GET /api/flow_runs/${id} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headersOf(key)}\r\n`,
      ),
    }),
  },
  {
    name: "filter, 20 runs",
    work: ({ key }) => ({
      connections: LIST_CONNECTIONS,
      expectedStatus: "200",
      requests: [post("/api/flow_runs/filter", key, { limit: 20 })],
    }),
  },
  {
    name: "count of runs",
    work: ({ key }) => ({
      connections: LIST_CONNECTIONS,
      expectedStatus: "200",
      requests: [post("/api/flow_runs/count", key, {})],
    }),
  },
  {
    name: "poll, nothing due",
    work: ({ key }) => ({
      connections: CONNECTIONS,
      expectedStatus: "200",
      requests: [
        post(`/api/work_pools/${POOL}/get_scheduled_flow_runs`, key, {
          limit: 10,
          scheduled_before: new Date().toISOString(),
        }),
      ],
    }),
  },
];

export function accountsText({ sizes, engines }, { rounds, seconds }) {
  const lines = [`CPU µs of our process per request, median of ${rounds} rounds of ${seconds} s`];
  for (const { engine, operations } of engines) {
    const heading = sizes.flatMap((count, i) =>
      i === 0 ? [`${number(count)} workspace`] : [`${number(count)}`, "growth"],
    );
    const rows = operations.map(({ name, openMicros, keyMicros, cells, errors }) => [
      name,
      number(openMicros),
      ...cells.flatMap(({ cpuMicros, growth }, i) =>
        i === 0 ? [number(cpuMicros)] : [number(cpuMicros), `${growth.median.toFixed(2)}×`],
      ),
      keyMicros.toFixed(1),
      errorCounts(errors),
    ]);
    lines.push("", ...columns([[engine, "open", ...heading, "key check µs", "errors"], ...rows]));
  }
  return lines.join("\n");
}
