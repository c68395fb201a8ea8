// Brings a PostgreSQL database back to what its migrations made of it. That is far cheaper than a
// new one, because a test writes few rows into few tables.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** What a database was like before anybody used it. */
export interface Baseline {
  /** Tells what is no longer as it was. */
  readonly probe: string;
  /** Rows that the migrations themselves put there, by table. */
  readonly seeds: ReadonlyMap<string, Seed>;
  readonly restartSequences: string;
  readonly statistics: string;
}

interface Seed {
  /** Those that can be written: not the generated ones. */
  readonly columns: string;
  readonly rows: readonly string[];
}

interface Probed {
  readonly altered: boolean;
  readonly statistics: string;
  /** Names of tables, each with the number of its pages. */
  readonly changed: Readonly<Record<string, number>>;
}

/**
 * A table of more pages gets a new, empty file; up to this, deleting the rows takes less time,
 * though it never gives pages back. To the planner every table that was never analysed has at least
 * as many, so an earlier test changes no plan.
 */
const MAX_PAGES = 10;

const SCHEMA = "test_baseline";
// Counting is not undone by a rollback, and no test comes near it.
const NOTE_CHANGES_OF_SCHEMA = `
  create schema ${SCHEMA};
  create sequence ${SCHEMA}.changes;
  create function ${SCHEMA}.note_change() returns event_trigger language plpgsql as
    $$ begin perform nextval('${SCHEMA}.changes'); end $$;
  create event trigger ${SCHEMA} on ddl_command_end execute function ${SCHEMA}.note_change();`;

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
    (select string_agg(format('%I', attname), ', ' order by attnum) from pg_attribute
     where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', '${SCHEMA}')
  order by name`;

const SEQUENCES = `
  select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value) as value,
    last_value is not null as is_called
  from pg_sequences where schemaname <> '${SCHEMA}' order by name`;

/** Changed by whoever analyses a table: plans would then depend on an earlier test. */
const STATISTICS = `(select concat(
  (select sum(reltuples) from pg_class where relkind = 'r' and oid >= 16384), ' ',
  (select count(*) from pg_statistic where starelid >= 16384)))`;

const OTHERS = `from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and pid <> all ($1) and backend_type = 'client backend'`;
/**
 * A connection that was closed is there for a few milliseconds more; one that was forgotten, for
 * ever.
 */
const PATIENCE_MS = [1, 2, 5, 10, 20, 50];

/**
 * Reads what a fresh database holds. The connection is to be used for nothing but `reset` from then
 * on.
 */
export async function readBaseline(client: pg.Client): Promise<Baseline> {
  // Neither triggers nor foreign keys mind what is done here, in whatever order.
  await client.query("set session_replication_role = replica");
  await client.query(NOTE_CHANGES_OF_SCHEMA);
  const tables = await client.query<{ name: string; columns: string | null }>(TABLES);
  const seeds = new Map<string, Seed>();
  for (const { name, columns } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
    if (rows.length > 0)
      seeds.set(name, { columns: columns ?? "", rows: rows.map(({ row }) => row) });
  }
  const sequences = await client.query<{ name: string; value: string; is_called: boolean }>(
    SEQUENCES,
  );
  const restarts = sequences.rows.map(
    ({ name, value, is_called }) => `setval('${name}', ${value}, ${is_called})`,
  );
  const { rows } = await client.query<{ statistics: string }>(`select ${STATISTICS} as statistics`);
  return {
    probe: probeOf(
      tables.rows.map(({ name }) => name),
      await digests(client, seeds),
    ),
    seeds,
    restartSequences: restarts.length === 0 ? "" : `select ${restarts.join(", ")}`,
    statistics: rows[0]?.statistics ?? "",
  };
}

const digestOf = (table: string): string =>
  `(select md5(string_agg(t::text, chr(10) order by t::text collate "C")) from ${table} t)`;

async function digests(
  client: pg.Client,
  seeds: ReadonlyMap<string, Seed>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const table of seeds.keys()) {
    const { rows } = await client.query<{ digest: string }>(`select ${digestOf(table)} as digest`);
    found.set(table, rows[0]?.digest ?? "");
  }
  return found;
}

function probeOf(tables: readonly string[], seeded: ReadonlyMap<string, string>): string {
  const entries = tables.map((table) => {
    const digest = seeded.get(table);
    const isChanged =
      digest === undefined
        ? `exists (select from ${table})`
        : `${digestOf(table)} is distinct from '${digest}'`;
    return `('${table}', case when ${isChanged} then pg_relation_size('${table}') / 8192 end)`;
  });
  const changed =
    entries.length === 0
      ? "'{}'"
      : `(select coalesce(json_object_agg(name, pages), '{}') from (values ${entries.join(", ")}) changed (name, pages) where pages is not null)`;
  return `select (select is_called from ${SCHEMA}.changes) as altered, ${STATISTICS} as statistics, ${changed} as changed`;
}

/** What a trigger notes of rows that go would be left behind. */
const WITHOUT_TRIGGERS = "set local session_replication_role = replica";

/**
 * Breaks off all connections but those served by `known`. False when the database cannot become
 * what it was: its schema was changed, or statistics were gathered in it.
 */
export async function resetTestDatabase(
  client: pg.Client,
  baseline: Baseline,
  known: readonly number[],
): Promise<boolean> {
  await endOthers(client, known);
  const { rows } = await client.query<Probed>({ name: "probe", text: baseline.probe });
  const [probed] = rows;
  if (probed === undefined || probed.altered || probed.statistics !== baseline.statistics) {
    return false;
  }
  const changed = Object.entries(probed.changed);
  const large = changed.filter(([, pages]) => pages > MAX_PAGES).map(([table]) => table);
  const emptying = changed
    .filter(([table]) => !large.includes(table))
    .map(([table]) => `delete from ${table}`);
  if (large.length > 0) emptying.push(`truncate ${large.join(", ")} cascade`);
  if (baseline.restartSequences !== "") emptying.push(baseline.restartSequences);
  await client.query(["begin", WITHOUT_TRIGGERS, ...emptying].join(";"));
  for (const [table, seed] of baseline.seeds) {
    if (table in probed.changed || large.length > 0) await sow(client, table, seed);
  }
  await client.query("commit");
  return true;
}

async function endOthers(client: pg.Client, known: readonly number[]): Promise<void> {
  for (const ms of PATIENCE_MS) {
    const { rowCount } = await client.query(`select pid ${OTHERS}`, [known]);
    if (rowCount === 0) return;
    await sleep(ms);
  }
  await client.query(`select pg_terminate_backend(pid, 10000) ${OTHERS}`, [known]);
}

async function sow(client: pg.Client, table: string, { columns, rows }: Seed): Promise<void> {
  const sql = `insert into ${table} (${columns}) overriding system value
    select ${columns} from (select (row::${table}).* from unnest($1::text[]) row) seed
    where not exists (select from ${table})`;
  await client.query(sql, [rows]);
}
