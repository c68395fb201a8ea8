import type { Database } from "../storage/database.ts";

/** The column beside a sealed value that holds the id of the key; null where there is no value. */
const COLUMN = "sealed_with";

const TABLES = {
  sqlite: `select t.name as name from sqlite_master t join pragma_table_info(t.name) c
    where t.type = 'table' and c.name = '${COLUMN}' order by t.name`,
  postgres: `select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = '${COLUMN}' order by table_name`,
} as const;

/**
 * How many values each key has sealed, by the keys' ids, in every table there is: also in those of
 * services that this process does not run.
 */
export function countSealedValues(db: Database): Promise<ReadonlyMap<string, number>> {
  return db.exclusively(async (session) => {
    const counts = new Map<string, number>();
    const tables = await session.rows<{ name: string }>(TABLES[session.dialect.name]);
    for (const { name } of tables) {
      const rows = await session.rows<{ key: string; count: number }>(
        `select ${COLUMN} as key, count(*) as count from "${name}" where ${COLUMN} is not null group by ${COLUMN}`,
      );
      for (const { key, count } of rows) counts.set(key, (counts.get(key) ?? 0) + Number(count));
    }
    return counts;
  });
}
