// Row-level security: in each table with a workspace, a policy shows one role the rows of one
// workspace. The owner of the tables is not held to it, so whoever does not take that role neither
// notices it nor pays for it.

import type { SchemaSession } from "../database.ts";
import { type Wall, WORKSPACE_SETTING } from "./confined-query.ts";

/** Another condition needs another name: policies of this one are left as they are. */
const POLICY = "workspace_rows";
/** Names are cut off at 63 bytes. */
const ROLE_OF_DATABASE = `'workspace_of_' || case when octet_length(current_database()) <= 50
  then current_database()::text else md5(current_database()) end`;

/** Why there is no wall, and what an administrator runs so that there can be one. */
export interface Refusal {
  readonly reason: string;
  readonly remedy: string;
}

interface Surroundings {
  readonly role: string;
  readonly login: string;
  readonly search_path: string;
  readonly has_role: boolean;
  readonly version: number;
}

/** Views that run with the rights of who looks. */
const MIN_VERSION = 150_000;

const SURROUNDINGS = `
  select role, quote_ident(session_user) as login,
    exists (select from pg_roles where rolname = role) as has_role,
    current_setting('server_version_num')::integer as version,
    (select string_agg(quote_ident(schema), ', ' order by place)
     from unnest(current_schemas(false)) with ordinality as path (schema, place)) as search_path
  from (select ${ROLE_OF_DATABASE} as role) named`;

interface TableState {
  readonly oid: number;
  /**
   * It shows rows of other tables: their policies are asked only where it runs with the rights of
   * who looks.
   */
  readonly is_view: boolean;
  readonly name: string;
  readonly schema: string;
  readonly type: string;
  readonly is_enabled: boolean;
  readonly has_policy: boolean;
  /** Of another role: the database was renamed, or copied. */
  readonly has_other: boolean;
  readonly is_granted: boolean;
  readonly is_schema_granted: boolean;
}

/** Not by a cast of their names, which would read them as they are written in SQL. */
const OUR_SCHEMAS = "select oid from pg_namespace where nspname = any (current_schemas(false))";

/** Tables and views of ours: another program may keep its own in the same schema. */
const stateOfTables = (role: string): string => `
  select c.oid::int8 as oid, c.oid::regclass::text as name, c.relnamespace::regnamespace::text as schema,
    c.relkind = 'v' as is_view, format_type(a.atttypid, a.atttypmod) as type,
    c.relrowsecurity or 'security_invoker=true' = any (c.reloptions) as is_enabled,
    coalesce(p.polroles = array[r.oid], false) as has_policy,
    coalesce(p.polroles <> array[r.oid], false) as has_other,
    (select bool_and(has_table_privilege(r.oid, c.oid, privilege))
     from unnest(array['select', 'insert', 'update', 'delete']) privilege
     where c.relkind <> 'v' or privilege = 'select') as is_granted,
    has_schema_privilege(r.oid, c.relnamespace, 'usage') as is_schema_granted
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
  join pg_roles r on r.rolname = ${literal(role)}
  left join pg_policy p on p.polrelid = c.oid and p.polname = '${POLICY}'
  where c.relkind in ('r', 'p', 'v') and c.relnamespace in (${OUR_SCHEMAS})
    and pg_has_role(session_user, c.relowner, 'usage')
  order by name`;

/**
 * Makes the role and the policies that are missing, for every table with a workspace; or says why
 * it cannot.
 */
export async function raiseWall(
  session: SchemaSession,
  shared: readonly string[],
): Promise<Wall | Refusal> {
  const [found] = await session.rows<Surroundings>(SURROUNDINGS);
  if (found === undefined) throw new Error("The database does not say who we are");
  if (found.version < MIN_VERSION)
    return { reason: "the server is older than PostgreSQL 15", remedy: "upgrade PostgreSQL" };
  const role = identifier(found.role);
  const obstacle = await takeRole(session, found);
  if (obstacle !== null) {
    const create = found.has_role ? "" : `create role ${role} nologin; `;
    const remedy = `${create}grant ${role} to ${found.login};`;
    return { reason: `the role ${role} cannot be had (${obstacle})`, remedy };
  }
  const tables = await session.rows<TableState>(stateOfTables(found.role));
  const changes = tables.flatMap((table) => [...changesOf(table, role)]);
  if (changes.length > 0) await session.execute(changes.join(";"));
  for (const name of shared) await share(session, name, found.role);
  await settleFollowers(session, found.search_path);
  const open = await unheld(
    session,
    role,
    tables.filter(({ is_view }) => !is_view),
  );
  if (open.length > 0) {
    const reason = `the role ${role} bypasses the policies of ${open.join(", ")}: it is more than a plain role, or has the rights of the tables' owner`;
    const remedy = `alter role ${role} nosuperuser nobypassrls; and revoke the owner of the tables from it`;
    return { reason, remedy };
  }
  return { role: found.role, searchPath: found.search_path };
}

/** Null when the role is there and can be taken; what is in the way otherwise. */
async function takeRole(session: SchemaSession, found: Surroundings): Promise<string | null> {
  const role = identifier(found.role);
  if (!found.has_role) {
    const obstacle = await attempt(session, `create role ${role} nologin`);
    if (obstacle !== null) return obstacle;
  }
  const take = `set local role ${role}; set local role none`;
  if ((await attempt(session, take)) === null) return null;
  return attempt(session, `grant ${role} to ${found.login}; ${take}`);
}

function* changesOf(table: TableState, role: string): Generator<string> {
  const { name } = table;
  if (!table.is_schema_granted) yield `grant usage on schema ${table.schema} to ${role}`;
  if (table.is_view) {
    if (!table.is_enabled) yield `alter view ${name} set (security_invoker = true)`;
    if (!table.is_granted) yield `grant select on ${name} to ${role}`;
    return;
  }
  if (!table.is_granted) yield `grant select, insert, update, delete on ${name} to ${role}`;
  if (table.has_other) yield `drop policy ${POLICY} on ${name}`;
  if (!table.has_policy) {
    const isOwn = `workspace_id = current_setting('${WORKSPACE_SETTING}')::${table.type}`;
    yield `create policy ${POLICY} on ${name} for all to ${role} using (${isOwn}) with check (${isOwn})`;
  }
  if (!table.is_enabled) yield `alter table ${name} enable row level security`;
}

/**
 * What belongs to no workspace is out of reach, unless it is said to be for all of them to read.
 */
async function share(session: SchemaSession, name: string, role: string): Promise<void> {
  const table = identifier(name);
  const [found] = await session.rows<{ is_granted: boolean }>(
    `select has_table_privilege(${literal(role)}, ${literal(table)}, 'select') as is_granted`,
  );
  if (found?.is_granted !== true)
    await session.execute(`grant select on ${table} to ${identifier(role)}`);
}

/**
 * The functions of triggers run as who writes, with the path that was set when they were made:
 * `$user` in it is the role now, and no longer the login whose schema may hold the tables.
 */
async function settleFollowers(session: SchemaSession, searchPath: string): Promise<void> {
  const found = await session.rows<{ name: string }>(`
    select oid::regprocedure::text as name from pg_proc
    where prorettype = 'trigger'::regtype and proname like '%\\_follow' and array_to_string(proconfig, ' ') like '%search_path=%$user%'
      and pronamespace in (${OUR_SCHEMAS}) and pg_has_role(session_user, proowner, 'usage')`);
  const changes = found.map(({ name }) => `alter function ${name} set search_path = ${searchPath}`);
  if (changes.length > 0) await session.execute(changes.join(";"));
}

/** The tables whose policies would not be asked. What the server says counts, not what we did. */
async function unheld(
  session: SchemaSession,
  role: string,
  tables: readonly TableState[],
): Promise<string[]> {
  await session.execute(`set local role ${role}`);
  const open = await session.rows<{ oid: number }>(
    `select oid::int8 as oid from unnest('{${tables.map(({ oid }) => oid).join(",")}}'::oid[]) oid where not row_security_active(oid)`,
  );
  await session.execute("set local role none");
  const oids = new Set(open.map(({ oid }) => oid));
  return tables.filter(({ oid }) => oids.has(oid)).map(({ name }) => name);
}

/** What may fail without spoiling the transaction; the reason when it did. */
async function attempt(session: SchemaSession, sql: string): Promise<string | null> {
  await session.execute("savepoint trial");
  try {
    await session.execute(sql);
    await session.execute("release savepoint trial");
    return null;
  } catch (error) {
    await session.execute("rollback to savepoint trial");
    return error instanceof Error ? error.message : String(error);
  }
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
