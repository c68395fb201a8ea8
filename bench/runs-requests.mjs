// The operations on runs that are measured, as whole HTTP requests that every server understands.
import { listLoad, postRequest } from "./requests.mjs";

const HOUR_MS = 3_600_000;
const CONNECTIONS = 64;
const LIST_CONNECTIONS = 4;
const LOG_LINES = 200;

export const BENCH_POOLS = {
  empty: "bench-empty",
  backlog: "bench-backlog",
  triggered: "bench-triggered",
};
export const FAILED = ["FAILED", "CRASHED"];
/** One run in ten has it. */
const TAG = "team-3";

export const hoursFromNow = (hours) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** Beside another server ours should cost this many times less. */
const TO_WRITE = 50;
const TO_READ = 25;

/**
 * `name` is for `--only`. `isIndexed`: the cost should not depend on how many runs there are.
 * `work` makes the requests from what is in the server; `holds` says whether an answer is what was
 * asked for.
 */
export const OPERATIONS = [
  {
    name: "get",
    title: "GET run",
    target: TO_READ,
    isIndexed: true,
    hasFloor: true,
    work: ({ runIds }) => ({
      connections: CONNECTIONS,
      expectedStatus: "200",
      requests: runIds.map((id) => `GET /api/flow_runs/${id} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`),
    }),
    holds: (run) => run.state?.type === run.state_type,
  },
  list("filter-200", "filter, 200 runs", { limit: 200 }),
  list("filter-20", "filter, 20 runs", { limit: 20 }),
  list("filter-state-200", "filter, 200 by state and time", { limit: 200, ...byStateAndTime() }),
  list("filter-state-20", "filter, 20 by state and time", { limit: 20, ...byStateAndTime() }),
  list("filter-tag-200", "filter, 200 by tag", { limit: 200, ...byTag() }),
  list("filter-tag-20", "filter, 20 by tag", { limit: 20, ...byTag() }),
  offset("filter-offset-200", 200),
  offset("filter-offset-20", 20),
  {
    name: "count",
    title: "count by state",
    target: TO_READ,
    work: () =>
      listLoad("/api/flow_runs/count", { flow_runs: { state: { type: { any_: FAILED } } } }),
    holds: (count, { rows }) => count >= Math.floor(rows / 5),
  },
  {
    name: "history",
    title: "history, 24 h in 20 parts",
    target: TO_READ,
    work: () => {
      // Of one moment: a millisecond more would be another part.
      const history_start = hoursFromNow(-24);
      const history_end = new Date(Date.parse(history_start) + 24 * HOUR_MS).toISOString();
      return listLoad("/api/flow_runs/history", {
        history_start,
        history_end,
        history_interval_seconds: 4320,
      });
    },
    holds: (parts, { rows }) =>
      parts.length === 20 && sum(parts, ({ states }) => sum(states, (s) => s.count_runs)) >= rows,
  },
  {
    name: "poll-empty",
    title: "worker poll, nothing due",
    target: TO_WRITE,
    isIndexed: true,
    work: () => poll(BENCH_POOLS.empty),
    holds: (runs) => runs.length === 0,
  },
  {
    name: "poll-backlog",
    title: "worker poll, 10 of 10,000 due",
    target: TO_WRITE,
    isIndexed: true,
    work: () => poll(BENCH_POOLS.backlog),
    holds: (runs) => runs.length === 10,
  },
  {
    name: "logs",
    title: "200 log lines",
    target: TO_READ,
    isIndexed: true,
    work: ({ runIds }) => ({
      connections: LIST_CONNECTIONS,
      expectedStatus: "201",
      requests: [postRequest("/api/logs/", logLines(runIds[0]))],
    }),
    holds: () => true,
  },
  {
    name: "create",
    title: "create",
    target: TO_WRITE,
    isIndexed: true,
    hasFloor: true,
    work: ({ flowId }) => ({
      connections: CONNECTIONS,
      expectedStatus: "201",
      requests: [postRequest("/api/flow_runs/", { flow_id: flowId, state: { type: "PENDING" } })],
    }),
    holds: (run) => run.state_type === "PENDING",
  },
  {
    name: "create-from-deployment",
    title: "create from deployment",
    target: TO_WRITE,
    isIndexed: true,
    work: ({ deploymentId }) => ({
      connections: CONNECTIONS,
      expectedStatus: "201",
      requests: [
        postRequest(`/api/deployments/${deploymentId}/create_flow_run`, { state: tomorrow() }),
      ],
    }),
    holds: (run) => run.work_pool_name === BENCH_POOLS.triggered,
  },
  {
    name: "life",
    title: "life of a run, 4 requests",
    target: TO_WRITE,
    isIndexed: true,
    hasFloor: true,
    work: ({ flowId }) => ({
      connections: CONNECTIONS,
      expectedStatus: "201",
      chain: [
        {
          text: postRequest("/api/flow_runs/", { flow_id: flowId, state: { type: "SCHEDULED" } }),
          answer: '"SCHEDULED"',
        },
        ...["PENDING", "RUNNING", "COMPLETED"].map((type) => ({
          text: postRequest("/api/flow_runs/{id}/set_state", { state: { type } }),
          answer: '"ACCEPT"',
        })),
      ],
    }),
  },
  // Last, because their runs go on being scheduled. Neither is a request.
  { name: "schedules", title: "scheduled run, an hour at once", target: TO_WRITE },
  { name: "kept", title: "scheduled run, as time passes", target: TO_WRITE },
];

function list(name, title, condition) {
  return {
    name,
    title,
    target: TO_READ,
    isIndexed: true,
    work: () =>
      listLoad("/api/flow_runs/filter", { sort: "EXPECTED_START_TIME_DESC", ...condition }),
    holds: (runs, { rows }) =>
      runs.length > 0 && runs.length >= Math.min(rows / 20, condition.limit),
  };
}

/** Skipping rows takes time on any database. */
function offset(name, limit) {
  const sort = "EXPECTED_START_TIME_DESC";
  return {
    ...list(name, `filter, ${limit} from the middle`, { limit }),
    isIndexed: false,
    work: ({ rows }) => listLoad("/api/flow_runs/filter", { sort, limit, offset: rows / 2 }),
  };
}

function byStateAndTime() {
  const after_ = hoursFromNow(-18);
  return { flow_runs: { state: { type: { any_: FAILED } }, expected_start_time: { after_ } } };
}

function byTag() {
  return { flow_runs: { tags: { all_: [TAG] } } };
}

const poll = (pool) => ({
  ...listLoad(`/api/work_pools/${pool}/get_scheduled_flow_runs`, {
    limit: 10,
    scheduled_before: hoursFromNow(12),
  }),
  connections: CONNECTIONS,
});

/** Due so late that nobody calls the run late while the benchmark lasts. */
const tomorrow = () => ({
  type: "SCHEDULED",
  state_details: { scheduled_time: hoursFromNow(24) },
});

function logLines(flowRunId) {
  return Array.from({ length: LOG_LINES }, (_, i) => ({
    name: "prefect.flow_runs",
    level: 20,
    message: `Line ${i}: `.padEnd(100, "something happened and was worth a line "),
    timestamp: hoursFromNow(0),
    flow_run_id: flowRunId,
  }));
}

const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);
