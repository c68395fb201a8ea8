// What an attack has left in the database.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "../servers.mjs";
import { openBenchSqlite, requireFromKernel } from "../sqlite.mjs";

const COUNT = "select count(*) as events from events";

export async function countStored({ server, database }) {
  return database === undefined ? inSqlite(server.folder) : inPostgres(database.url);
}

function inSqlite(folder) {
  const db = openBenchSqlite(databaseFile(folder));
  const { events } = db.prepare(COUNT).get();
  db.close();
  const files = readdirSync(folder).filter((name) => name.includes(".db"));
  const sizes = files.map((name) => statSync(join(folder, name)).size);
  return { events: Number(events), bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function inPostgres(url) {
  const client = new (requireFromKernel("pg").Client)(url);
  await client.connect();
  const { rows } = await client.query(
    `${COUNT.replace("as events", "as events, pg_database_size(current_database()) as bytes")}`,
  );
  await client.end();
  return { events: Number(rows[0].events), bytes: Number(rows[0].bytes) };
}
