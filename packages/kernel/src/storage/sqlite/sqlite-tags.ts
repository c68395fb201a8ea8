// SQLite has no index into a JSON array, so the tags of a large table are kept a second time, a row
// each, by triggers.

/**
 * `order` is a column with a time: the rows with a tag are kept in its order, what has no value
 * behind all others.
 */
export const sqliteTagIndex = (table: string, index: string, order: string): string => `
    create table ${index} (
      workspace_id text not null, tag text not null, at text not null, row_id text not null,
      primary key (workspace_id, tag, at, row_id)
    ) without rowid;
    ${sqliteTagTriggers(table, index, order)}`;

/**
 * They call no function, for whose sake SQLite would copy what they change, and name no way out of
 * a conflict, which would not be taken.
 */
export function sqliteTagTriggers(table: string, index: string, order: string): string {
  const tagsOf = (row: "new" | "old"): string =>
    `select distinct ${row}.workspace_id, value, ${orderKey(`${row}.${order}`)}, ${row}.id from json_each(${row}.tags)`;
  const forget = `delete from ${index} where (workspace_id, tag, at, row_id) in (${tagsOf("old")})`;
  const remember = `insert into ${index} ${tagsOf("new")}`;
  return `
    create trigger ${index}_added after insert on ${table} when new.tags <> '[]'
      begin ${remember}; end;
    create trigger ${index}_changed after update of tags, ${order} on ${table}
      when new.tags <> old.tags or new.${order} is not old.${order}
      begin ${forget}; ${remember}; end;
    create trigger ${index}_removed after delete on ${table} when old.tags <> '[]'
      begin ${forget}; end;`;
}

const orderKey = (time: string): string => `coalesce(${time}, '~')`;
