// Copies rows within the tables of runs and of their states, past the server; in ours or in another
// product's database.
import { openBenchSqlite, requireFromKernel } from "./sqlite.mjs";

const CHUNK = 2000;
const TABLES = {
  ours: { run: "flow_runs", state: "flow_run_states" },
  peer: { run: "flow_run", state: "flow_run_state" },
};

/** `place` is `{ product: "ours" | "peer", file }` or `{ product, url }`. */
export function openRunTables({ product, file, url }) {
  const names = TABLES[product];
  return file === undefined ? openOnPostgres(names, url) : openOnSqlite(names, file, product);
}

function openOnSqlite(names, file, product) {
  const db = openBenchSqlite(file);
  // A run and its state may refer to each other.
  db.exec("pragma foreign_keys = off");
  const toText = product === "ours" ? isoText : spacedText;
  const find = (table, column, id) =>
    db.prepare(`select * from ${table} where ${column} = ?`).get(id);
  const inserter = (table, row) => {
    const columns = Object.keys(row);
    const places = columns.map(() => "?").join(", ");
    return db.prepare(`insert into ${table} (${columns.join(", ")}) values (${places})`);
  };
  return {
    read(id) {
      const run = find(names.run, "id", id);
      return { run, state: find(names.state, "id", run.state_id) };
    },
    insert(count, copyAt) {
      const first = copyAt(0);
      const insertRun = inserter(names.run, first.run.original);
      const insertState = inserter(names.state, first.state.original);
      for (let from = 0; from < count; from += CHUNK) {
        db.exec("begin immediate");
        for (let i = from; i < Math.min(from + CHUNK, count); i += 1) {
          const { run, state } = copyAt(i);
          insertRun.run(...Object.values(rowOf(run, toText)));
          insertState.run(...Object.values(rowOf(state, toText)));
        }
        db.exec("commit");
      }
    },
    close: () => db.close(),
  };
}

async function openOnPostgres(names, url) {
  const { Client } = requireFromKernel("pg");
  const client = new Client(url);
  await client.connect();
  const find = async (table, id) => {
    const sql = `select row_to_json(t) as row from ${table} t where id = $1`;
    return (await client.query(sql, [id])).rows[0].row;
  };
  const inserting = (table, row, parameter) => {
    const columns = Object.keys(row).join(", ");
    return `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, ${parameter})`;
  };
  return {
    async read(id) {
      const run = await find(names.run, id);
      return { run, state: await find(names.state, run.state_id) };
    },
    async insert(count, copyAt) {
      const { run, state } = copyAt(0);
      // One statement: a run and its state may refer to each other, which is looked at when it
      // ends.
      const sql = `with run as (${inserting(names.run, run.original, "$1")}) ${inserting(names.state, state.original, "$2")}`;
      for (let from = 0; from < count; from += CHUNK) {
        const length = Math.min(CHUNK, count - from);
        const copies = Array.from({ length }, (_, i) => copyAt(from + i));
        const runs = copies.map((copy) => rowOf(copy.run, isoText));
        const states = copies.map((copy) => rowOf(copy.state, isoText));
        await client.query(sql, [JSON.stringify(runs), JSON.stringify(states)]);
      }
    },
    async close() {
      // The server does this by itself after a while; SQLite never does.
      await client.query(`analyze ${names.run}, ${names.state}`);
      await client.end();
    },
  };
}

/** The original with the given values, where it has such columns. */
function rowOf({ original, texts, times, state }, toText) {
  const row = { ...original };
  for (const [column, value] of Object.entries(texts)) if (column in row) row[column] = value;
  for (const [column, at] of Object.entries(times)) {
    if (at !== undefined && column in row) row[column] = toText(at);
  }
  if (row.state) row.state = changedState(row.state, state);
  return row;
}

function changedState(stored, { id, at }) {
  const isText = typeof stored === "string";
  const state = { ...(isText ? JSON.parse(stored) : stored), id, timestamp: isoText(at) };
  return isText ? JSON.stringify(state) : state;
}

/** `at` counts milliseconds and may have a fraction; both products keep six digits. */
function isoText(at) {
  const whole = Math.floor(at);
  const micros = Math.floor((at - whole) * 1000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, "0")}Z`;
}

const spacedText = (at) => isoText(at).slice(0, -1).replace("T", " ");
