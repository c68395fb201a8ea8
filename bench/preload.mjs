// Fills a database with variables and the events their creation would have left, past the server.
import { body } from "./requests.mjs";
import { openBenchSqlite, requireFromKernel } from "./sqlite.mjs";

const WORKSPACE = "00000000-0000-0000-0000-000000000000";
// Of today, or the server would begin by deleting expired events.
const AT = new Date().toISOString().replace("Z", "000Z");
const CHUNK = 5000;
/** So many rows are found by name, however many there are. */
const NEEDLES = 10;

export const preloadedId = (i) => `019b76da-0000-7000-8000-${i.toString(16).padStart(12, "0")}`;

export function preloadSqlite(file, rows) {
  const db = openBenchSqlite(file);
  const insertInto = (table, row) => {
    const names = Object.keys(row);
    const places = names.map(() => "?").join(", ");
    return db.prepare(`insert into ${table} (${names.join(", ")}) values (${places})`);
  };
  const insertVariable = insertInto("variables", variableOf(0, rows));
  const insertEvent = insertInto("events", eventOf(0, rows));
  db.exec("begin");
  for (let i = 0; i < rows; i += 1) {
    insertVariable.run(...sqliteValues(variableOf(i, rows)));
    insertEvent.run(...sqliteValues(eventOf(i, rows)));
  }
  db.exec("commit");
  db.close();
}

export async function preloadPostgres(url, rows) {
  const { Client } = requireFromKernel("pg");
  const client = new Client(url);
  await client.connect();
  const insertMany = (table, records) => {
    const names = Object.keys(records[0]).join(", ");
    const source = `json_populate_recordset(null::${table}, $1)`;
    const sql = `insert into ${table} (${names}) select ${names} from ${source}`;
    return client.query(sql, [JSON.stringify(records)]);
  };
  for (let from = 0; from < rows; from += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, rows - from) }, (_, i) => from + i);
    const variables = numbers.map((i) => variableOf(i, rows));
    const events = numbers.map((i) => eventOf(i, rows));
    await insertMany("variables", variables);
    await insertMany("events", events);
  }
  // The server does this by itself after a while; SQLite never does.
  await client.query("analyze");
  await client.end();
}

function sqliteValues(row) {
  return Object.values(row).map((value) =>
    typeof value === "object" ? JSON.stringify(value) : value,
  );
}

function variableOf(i, rows) {
  const isNeedle = i % Math.max(1, Math.floor(rows / NEEDLES)) === 0;
  const content = body(`${isNeedle ? "needle" : "row"}-${String(i).padStart(9, "0")}`);
  return { id: preloadedId(i), workspace_id: WORKSPACE, created: AT, updated: AT, ...content };
}

function eventOf(i, rows) {
  const id = preloadedId(i);
  const event = "orchestrator.variable.created";
  const resource_id = `orchestrator.variable.${id}`;
  const body = { id, occurred: AT, event, resource_id, payload: variableOf(i, rows) };
  return { workspace_id: WORKSPACE, id, occurred: AT, received: AT, event, resource_id, body };
}
