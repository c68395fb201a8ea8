// What fills two workspaces on PostgreSQL with as many rows of each kind as are read in full when
// they are analysed.

export const WORKSPACE = "90000000-0000-4000-8000-000000000001";
/** Of a flow, a deployment, a run, … of that workspace. */
export const ID = "10000000-0000-4000-8000-000000000007";

const ROWS = 6000;

export const FILL = `
  create function pg_temp.id(kind bigint, n bigint) returns uuid language sql immutable as
    $$ select (kind || '0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
  create temp table places on commit drop as
    select w, pg_temp.id(9, w) as workspace, n, pg_temp.id(w, n) as id, '2026-' || (100000 + n) as at,
      jsonb_build_array('tag ' || n % 600, case n % 2 when 0 then 'even' else 'odd' end) as tags
    from generate_series(1, 2) w, generate_series(1, ${ROWS}) n;
  insert into flows (id, workspace_id, created, updated, name, tags, labels)
    select id, workspace, at, at, 'flow ' || n, tags, '{}' from places where n <= 200;
  insert into deployments (id, workspace_id, created, updated, name, flow_id, paused, job_variables, parameters,
      enforce_parameter_schema, tags, labels, status)
    select id, workspace, at, at, 'd ' || n, pg_temp.id(w, n % 200 + 1), false, '{}', '{}', false, tags, '{}', 'READY'
    from places where n <= 2000;
  insert into flow_runs (id, workspace_id, created, updated, name, flow_id, deployment_id, parameters, context,
      empirical_policy, tags, labels, state_type, state_name, run_count, expected_start_time, start_time,
      effective_start_time, end_time, total_run_time, auto_scheduled, flow_version, created_by_type)
    select id, workspace, at, at, 'run ' || n, pg_temp.id(w, n % 200 + 1), pg_temp.id(w, n % 2000 + 1), '{}', '{}',
      '{}', tags, '{}', (array['FAILED', 'CRASHED', 'CANCELLED', 'PAUSED', 'COMPLETED'])[n % 5 + 1], 'Any', 1, at, at,
      at, at, 1, false, 'version ' || n % 600, 'KIND ' || n % 600
    from places;
  insert into task_runs (id, workspace_id, created, updated, name, flow_run_id, task_key, dynamic_key,
      empirical_policy, tags, labels, task_inputs, state_type, state_name, run_count, flow_run_run_count,
      expected_start_time, start_time, end_time, total_run_time)
    select id, workspace, at, at, 'task ' || n, id, 'k', '0', '{}', tags, '{}', '{}', 'COMPLETED', case n % 2 when 0 then 'Completed' else 'Name ' || n % 599 end, 1, 1,
      at, at, at, 1
    from places;
  insert into logs (id, workspace_id, created, name, level, message, timestamp, flow_run_id, task_run_id)
    select id, workspace, at, 'log', 20, 'line ' || n, at, pg_temp.id(w, n % 600 + 1), pg_temp.id(w, n % 600 + 1)
    from places;
  insert into artifacts (id, workspace_id, created, updated, key, type, flow_run_id, task_run_id)
    select id, workspace, at, at, 'key ' || n % 600, 'table', pg_temp.id(w, n % 600 + 1), pg_temp.id(w, n % 600 + 1)
    from places;
  insert into artifact_collections (id, workspace_id, created, updated, key, latest_id)
    select id, workspace, at, at, 'key ' || n, id from places where n <= 600;
  insert into events (workspace_id, id, occurred, received, event, resource_id, related_id, body)
    select workspace, id, at, '', 'name.' || n % 500, 'thing.' || n % 5000, pg_temp.id(w, n % 200 + 1), '{}' from places;
  insert into event_related (workspace_id, set_id, day, item, resource_id, role, written)
    select workspace, id, '2026-01-01', 0, 'flow.' || n, 'flow', '' from places where n <= 200;
  analyze;`;
