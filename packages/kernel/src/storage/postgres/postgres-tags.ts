// An index into JSON exists here, but row-level security makes it useless: its operators might tell
// of the rows they are asked about, so the policy is asked first, of every row. Equal texts tell
// nothing. So the tags of a large table are kept a second time, a row each, by triggers, as on the
// other engine.

/**
 * `order` is a column with a time: the rows with a tag are kept in its order, what has no value
 * behind all others.
 */
export function postgresTagIndex(table: string, index: string, order: string): string {
  const at = (row: "new" | "old"): string => `coalesce(${row}.${order}, '~')`;
  const follow = "for each row when";
  const by = `execute function ${index}_follow()`;
  return `
    create table ${index} (
      workspace_id uuid not null, tag text collate "C" not null, at text collate "C" not null, row_id uuid not null,
      primary key (workspace_id, tag, at, row_id)
    );
    create function ${index}_follow() returns trigger language plpgsql set search_path from current as $$ begin
      if tg_op <> 'INSERT' then
        delete from ${index} where workspace_id = old.workspace_id and at = ${at("old")} and row_id = old.id
          and tag = any(array(select jsonb_array_elements_text(old.tags)));
      end if;
      if tg_op <> 'DELETE' then
        insert into ${index} select new.workspace_id, tag, ${at("new")}, new.id
          from jsonb_array_elements_text(new.tags) tag on conflict do nothing;
      end if;
      return null;
    end $$;
    create trigger ${index}_added after insert on ${table} ${follow} (new.tags <> '[]') ${by};
    create trigger ${index}_changed after update of tags, ${order} on ${table}
      ${follow} (new.tags <> old.tags or new.${order} is distinct from old.${order}) ${by};
    create trigger ${index}_removed after delete on ${table} ${follow} (old.tags <> '[]') ${by};`;
}
