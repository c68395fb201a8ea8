// The floor: the least a server can do for the same answer. Bare node:http, the same JSON, the same
// statement, the same durability.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { openBenchSqlite } from "./sqlite.mjs";

const WORKSPACE = "00000000-0000-0000-0000-000000000000";
const JSON_TYPE = "application/json; charset=utf-8";

// `plain` commits each request by itself, `group` all those that arrived in one turn of the event
// loop.
const [file, schema, commits] = process.argv.slice(2);
const db = openBenchSqlite(file);
db.exec(schema);
const begin = db.prepare("begin immediate");
const commit = db.prepare("commit");
const insert = db.prepare(
  `insert into variables (id, workspace_id, created, updated, name, value, tags) values (?, ?, ?, ?, ?, ?, ?)
   on conflict (workspace_id, name) do nothing`,
);
const select = db.prepare(
  `select json_object('id', id, 'created', created, 'updated', updated, 'name', name,
   'value', json(value), 'tags', json(tags)) as json from variables where workspace_id = ? and id = ?`,
);

const create = commits === "group" ? createTogether : createAlone;
const server = createServer((request, response) => {
  if (request.method === "POST") readBody(request, response);
  else if (request.url === "/metrics") sendCpu(response);
  else read(request.url.slice(request.url.lastIndexOf("/") + 1), response);
});
server.keepAliveTimeout = 72_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
// Nobody is left to answer.
process.on("disconnect", () => process.exit());
// Also keeps the database: the driver frees one that nobody refers to, even while its statements
// are in use.
process.on("exit", () => db.close());

function readBody(request, response) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    create(JSON.parse(body.toString()), response);
  });
}

function createAlone(body, response) {
  send(response, insertRow(body));
}

let waiting = [];

function createTogether(body, response) {
  if (waiting.length === 0) setImmediate(commitWaiting);
  waiting.push({ body, response });
}

function commitWaiting() {
  const batch = waiting;
  waiting = [];
  begin.run();
  for (const job of batch) job.answer = insertRow(job.body);
  commit.run();
  for (const { response, answer } of batch) send(response, answer);
}

function insertRow({ name, value, tags }) {
  const id = newId();
  const now = `${new Date().toISOString().slice(0, -1)}000Z`;
  const values = [id, WORKSPACE, now, now, name, JSON.stringify(value), JSON.stringify(tags)];
  if (insert.run(...values).changes !== 1) return { status: 409, text: "{}" };
  const record = { id, created: now, updated: now, name, value, tags };
  return { status: 201, text: JSON.stringify(record) };
}

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
