// The floor for runs: bare node:http that reads, creates and moves them in the product's own
// tables, with the rows and the durability of the product and none of its rules. All requests of
// one turn of the event loop share a commit.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { openBenchSqlite } from "./sqlite.mjs";

const WORKSPACE = "00000000-0000-0000-0000-000000000000";
const JSON_TYPE = "application/json; charset=utf-8";
const POLICY =
  '{"max_retries":0,"retry_delay_seconds":0,"retries":null,"retry_delay":null,"pause_keys":[],"resuming":false,"retry_type":null}';
const DETAILS = {
  task_run_id: null,
  child_flow_run_id: null,
  scheduled_time: null,
  cache_key: null,
  cache_expiration: null,
  deferred: false,
  untrackable_result: false,
  pause_timeout: null,
  pause_reschedule: false,
  pause_key: null,
  run_input_keyset: null,
  refresh_cache: null,
  retriable: null,
  transition_id: null,
  task_parameters_id: null,
  traceparent: null,
  deployment_concurrency_lease_id: null,
};
/** What the product works out, and no run of the benchmark needs to be asked about. */
const WORKED_OUT = new Map([
  ["estimated_run_time", "total_run_time"],
  ["estimated_start_time_delta", "0"],
  ["auto_scheduled", "json('false')"],
]);

// A run as the product answers it: its fields, in their order, so that the floor never falls
// behind.
const [file, record] = process.argv.slice(2);
const db = openBenchSqlite(file);
const columns = new Set(
  db
    .prepare("select name from pragma_table_info('flow_runs')")
    .all()
    .map(({ name }) => name),
);
const begin = db.prepare("begin immediate");
const commit = db.prepare("commit");
const select = db.prepare(
  `select json_object(${Object.entries(JSON.parse(record)).map(fieldSql).join(", ")}) as json
   from flow_runs where workspace_id = ? and id = ?`,
);
const insertRun = db.prepare(
  `insert into flow_runs (id, workspace_id, created, updated, name, flow_id, parameters, context, empirical_policy, tags, labels,
   state_id, state_type, state_name, state_timestamp, state, run_count, expected_start_time, next_scheduled_start_time,
   effective_start_time, total_run_time, auto_scheduled, job_variables)
   values (?, '${WORKSPACE}', ?, ?, ?, ?, '{}', '{}', '${POLICY}', '[]', ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 0, 0, '{}')`,
);
const insertState = db.prepare(
  `insert into flow_run_states (id, workspace_id, flow_run_id, timestamp, type, name, state) values (?, '${WORKSPACE}', ?, ?, ?, ?, ?)`,
);
const selectForChange = db.prepare(
  `select state_type, state_timestamp, run_count, expected_start_time, start_time, total_run_time
   from flow_runs where workspace_id = ? and id = ?`,
);
const updateRun = db.prepare(
  `update flow_runs set updated = ?, state_id = ?, state_type = ?, state_name = ?, state_timestamp = ?, state = ?, run_count = ?,
   next_scheduled_start_time = null, start_time = ?, effective_start_time = ?, end_time = ?, total_run_time = ?
   where workspace_id = ? and id = ?`,
);

const server = createServer((request, response) => {
  if (request.method === "POST") readBody(request, response);
  else if (request.url === "/metrics") sendCpu(response);
  else read(request.url.slice(request.url.lastIndexOf("/") + 1), response);
});
server.keepAliveTimeout = 72_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
// Also keeps the database: the driver frees one that nobody refers to, even while its statements
// are in use.
process.on("exit", () => db.close());

function fieldSql([field, value]) {
  const stored = WORKED_OUT.get(field) ?? (columns.has(field) ? field : "null");
  return `'${field}', ${typeof value === "object" && value !== null ? `json(${stored})` : stored}`;
}

function readBody(request, response) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const body = JSON.parse(bytes.toString());
    if (waiting.length === 0) setImmediate(commitWaiting);
    waiting.push({ id: request.url.split("/")[3], body, response });
  });
}

let waiting = [];

function commitWaiting() {
  const batch = waiting;
  waiting = [];
  begin.run();
  for (const job of batch) job.answer = job.id ? move(job.id, job.body) : create(job.body);
  commit.run();
  for (const { response, answer } of batch) send(response, answer);
}

function create({ flow_id, state: { type } }) {
  const id = newId();
  const at = now();
  const due = type === "SCHEDULED" ? at : null;
  const state = newState({ type, at, due, runId: id });
  const origin = [id, at, at, `run-${id}`, flow_id, JSON.stringify({ "prefect.flow.id": flow_id })];
  const stateValues = [state.id, type, state.name, at, JSON.stringify(state)];
  insertRun.run(...origin, ...stateValues, at, due, at);
  addState(id, state);
  return { status: 201, text: select.get(WORKSPACE, id).json };
}

function move(id, { state: { type } }) {
  const run = selectForChange.get(WORKSPACE, id);
  if (run === undefined) return { status: 404, text: "{}" };
  const at = now();
  const state = newState({ type, at, due: null, runId: id });
  const begins = type === "RUNNING";
  const start = run.start_time ?? (begins ? at : null);
  const ran = run.state_type === "RUNNING" ? secondsBetween(run.state_timestamp, at) : 0;
  addState(id, state);
  const stateValues = [state.id, type, state.name, at, JSON.stringify(state)];
  const times = [start, start ?? run.expected_start_time, type === "COMPLETED" ? at : null];
  const count = run.run_count + (begins ? 1 : 0);
  updateRun.run(at, ...stateValues, count, ...times, run.total_run_time + ran, WORKSPACE, id);
  const answer = { state, status: "ACCEPT", details: { type: "accept_details" } };
  return { status: 201, text: JSON.stringify(answer) };
}

function newState({ type, at, due, runId }) {
  const name = type[0] + type.slice(1).toLowerCase();
  const state_details = { flow_run_id: runId, ...DETAILS, scheduled_time: due };
  return { id: newId(), type, name, timestamp: at, message: null, data: null, state_details };
}

function addState(runId, state) {
  const { id, timestamp, type, name } = state;
  insertState.run(id, runId, timestamp, type, name, JSON.stringify(state));
}

const now = () =>
  `${new Date().toISOString().slice(0, -1)}${String(tick++ % 1000).padStart(3, "0")}Z`;
let tick = 0;
const secondsBetween = (from, to) => Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);

/** Begins with the time, as those of the product: ids in order are cheaper to insert. */
function newId() {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

function read(id, response) {
  const row = select.get(WORKSPACE, id);
  send(response, row === undefined ? { status: 404, text: "{}" } : { status: 200, text: row.json });
}

function send(response, { status, text }) {
  response.writeHead(status, {
    "content-type": JSON_TYPE,
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

function sendCpu(response) {
  const { user, system } = process.cpuUsage();
  response.end(`process_cpu_seconds_total ${(user + system) / 1e6}\n`);
}
