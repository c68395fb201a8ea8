// Fills a database with variables and the events their creation would have left, past the server.
import { body } from "./requests.mjs";
import { openSqlite, requireFromKernel } from "./sqlite.mjs";

const WORKSPACE = "00000000-0000-0000-0000-000000000000";
const AT = "2026-01-01T00:00:00.000000Z";
const CHUNK = 5000;
/** So many rows are found by name, however many there are. */
const NEEDLES = 10;

const VARIABLE_COLUMNS = ["id", "workspace_id", "created", "updated", "name", "value", "tags"];
const EVENT_COLUMNS = [
  "workspace_id",
  "id",
  "occurred",
  "received",
  "event",
  "resource_id",
  "body",
];

export const idOf = (i) => `019b76da-0000-7000-8000-${i.toString(16).padStart(12, "0")}`;

export function preloadSqlite(file, rows) {
  const db = openSqlite(file);
  const insertVariable = db.prepare(insertInto("variables", VARIABLE_COLUMNS));
  const insertEvent = db.prepare(insertInto("events", EVENT_COLUMNS));
  db.exec("begin");
  for (let i = 0; i < rows; i += 1) {
    insertVariable.run(...variableOf(i, rows));
    insertEvent.run(...eventOf(i, rows));
  }
  db.exec("commit; analyze; pragma wal_checkpoint(truncate)");
  db.close();
}

export async function preloadPostgres(url, rows) {
  const { Client } = requireFromKernel("pg");
  const client = new Client(url);
  await client.connect();
  for (let from = 0; from < rows; from += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, rows - from) }, (_, i) => from + i);
    await insertMany(
      client,
      "variables",
      VARIABLE_COLUMNS,
      numbers.map((i) => variableOf(i, rows)),
    );
    await insertMany(
      client,
      "events",
      EVENT_COLUMNS,
      numbers.map((i) => eventOf(i, rows)),
    );
  }
  await client.query("analyze");
  await client.end();
}

function insertMany(client, table, columns, rows) {
  const objects = rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
  const list = columns.join(", ");
  const typed = columns.map((name) => (JSON_COLUMNS.has(name) ? `(${name} #>> '{}')::json` : name));
  return client.query(
    `insert into ${table} (${list}) select ${typed.join(", ")} from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(objects)],
  );
}
const JSON_COLUMNS = new Set(["value", "tags", "body"]);

function insertInto(table, columns) {
  return `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
}

function variableOf(i, rows) {
  const { name, value, tags } = contentOf(i, rows);
  return [idOf(i), WORKSPACE, AT, AT, name, JSON.stringify(value), JSON.stringify(tags)];
}

function eventOf(i, rows) {
  const { name, ...payload } = contentOf(i, rows);
  const event = "orchestrator.variable.created";
  const resource = `orchestrator.variable.${idOf(i)}`;
  const text = JSON.stringify({ id: idOf(i), occurred: AT, event, resource, name, payload });
  return [WORKSPACE, idOf(i), AT, AT, event, resource, text];
}

function contentOf(i, rows) {
  const isNeedle = i % Math.max(1, Math.floor(rows / NEEDLES)) === 0;
  return body(`${isNeedle ? "needle" : "row"}-${String(i).padStart(9, "0")}`);
}
