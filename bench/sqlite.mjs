// Opens SQLite with the product's own build of the driver and the product's settings.
import { createRequire } from "node:module";

/** What the kernel is built on, without being a dependency of the benchmarks. */
export const requireFromKernel = createRequire(
  new URL("../packages/kernel/package.json", import.meta.url),
);
const { DatabaseSync } = requireFromKernel("@photostructure/sqlite");

export function openBenchSqlite(file) {
  const db = new DatabaseSync(file);
  db.exec(
    "pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536",
  );
  return db;
}
