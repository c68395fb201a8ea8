// What every server holds before runs are measured: a flow, pools and deployments made through the
// API, and as many runs as asked for, put into the database as copies of a few that were made
// through the API as well.

import { setTimeout as sleep } from "node:timers/promises";
import { BENCH_POOLS, FAILED, hoursFromNow } from "./runs-requests.mjs";
import { openRunTables } from "./runs-tables.mjs";

const READ_IDS = 1000;
const BACKLOG = 10_000;
const DAY_MS = 86_400_000;
const KINDS = 10;
const ATTEMPTS = 10;

/**
 * Makes the flow, the pools, the deployments, one run of every kind and one that waits in a queue.
 */
export async function makeFixture(server) {
  const make = (path, body) => postPatiently(server, path, body);
  const flow = await make("/api/flows/", { name: "bench" });
  for (const name of Object.values(BENCH_POOLS))
    await make("/api/work_pools/", { name, type: "process" });
  const deploy = (name, work_pool_name) =>
    make("/api/deployments/", { name, flow_id: flow.id, work_pool_name });
  const triggered = await deploy("triggered", BENCH_POOLS.triggered);
  const backlog = await deploy("backlog", BENCH_POOLS.backlog);
  const kinds = [];
  for (let kind = 0; kind < KINDS; kind += 1) {
    const tags = ["bench", `team-${kind}`];
    const scheduled = { type: "SCHEDULED" };
    const { id } = await make("/api/flow_runs/", { flow_id: flow.id, state: scheduled, tags });
    for (const type of [
      "PENDING",
      "RUNNING",
      FAILED[kind - KINDS + FAILED.length] ?? "COMPLETED",
    ]) {
      await make(`/api/flow_runs/${id}/set_state`, { state: { type } });
    }
    kinds.push(id);
  }
  const waiting = await make(`/api/deployments/${backlog.id}/create_flow_run`, {
    state: { type: "SCHEDULED", state_details: { scheduled_time: hoursFromNow(6) } },
  });
  return { flowId: flow.id, deploymentId: triggered.id, kinds, waiting: waiting.id };
}

/**
 * Asks again after a 503, which is what the peer answers while its own services write to SQLite.
 */
export async function postPatiently(server, path, body) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await server.post(path, body);
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    if (response.status !== 503 || attempt === ATTEMPTS) {
      throw new Error(`${server.name}: POST ${path} was answered ${response.status} ${text}`);
    }
    await sleep(1000);
  }
}

/** Fills the tables, and answers what the requests need to know. */
export async function preloadRuns(place, fixture, rows) {
  const tables = await openRunTables(place);
  try {
    const kinds = [];
    for (const id of fixture.kinds) kinds.push(await tables.read(id));
    const end = Date.now() - 60_000;
    // All of them are of the last day until the benchmark is over.
    const begin = end - DAY_MS + 7_200_000;
    await tables.insert(rows, (i) => {
      const at = begin + ((end - begin) * i) / rows;
      return copyOf(kinds[i % KINDS], { id: runId(i), stateId: stateId(i), at, name: `run-${i}` });
    });
    const waiting = await tables.read(fixture.waiting);
    // Expected long ago, so that lists of the last runs do not begin with them; due only after the
    // benchmark.
    await tables.insert(BACKLOG, (i) => {
      const [at, n] = [end - 2 * DAY_MS + i, rows + i];
      const due = end + DAY_MS / 6 + i;
      return copyOf(waiting, { id: runId(n), stateId: stateId(n), at, due, name: `waiting-${i}` });
    });
  } finally {
    await tables.close();
  }
  const count = Math.min(rows, READ_IDS);
  const runIds = Array.from({ length: count }, (_, i) => runId(Math.floor((i * rows) / count)));
  return { ...fixture, rows, runIds };
}

const runId = (n) => `019b76da-0000-7000-8000-${hex(n)}`;
const stateId = (n) => `019b76da-0001-7000-8000-${hex(n)}`;
const hex = (n) => n.toString(16).padStart(12, "0");

/**
 * What differs from copy to copy, by the columns' names in either product; a table takes those that
 * it has.
 */
function copyOf({ run, state }, { id, stateId, at, due, name }) {
  const ended = at + 1000;
  const times = due === undefined ? { start_time: at, end_time: ended } : {};
  return {
    run: {
      original: run,
      texts: { id, name, state_id: stateId },
      times: {
        ...times,
        created: at,
        updated: ended,
        expected_start_time: at,
        effective_start_time: at,
        next_scheduled_start_time: due,
        state_timestamp: ended,
      },
      state: { id: stateId, at: ended },
    },
    state: {
      original: state,
      texts: { id: stateId, flow_run_id: id },
      times: { created: ended, updated: ended, timestamp: ended },
      state: { id: stateId, at: ended },
    },
  };
}
