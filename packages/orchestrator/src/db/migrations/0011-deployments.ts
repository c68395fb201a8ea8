import type { Migration } from "@orchestrator/kernel/storage";

export const deploymentsMigration: Migration = {
  name: "deployments",
  up: (t) => `
    create table flows (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      tags ${t.tags} not null,
      labels ${t.json} not null,
      unique (workspace_id, name)
    );
    create table deployments (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      flow_id ${t.id} not null references flows (id) on delete cascade,
      version ${t.text},
      description ${t.text},
      paused ${t.flag} not null,
      concurrency_limit_id ${t.id},
      concurrency_options ${t.json},
      job_variables ${t.json} not null,
      parameters ${t.json} not null,
      parameter_openapi_schema ${t.json},
      enforce_parameter_schema ${t.flag} not null,
      tags ${t.tags} not null,
      labels ${t.json} not null,
      work_queue_id ${t.id},
      path ${t.text},
      entrypoint ${t.text},
      pull_steps ${t.json},
      storage_document_id ${t.id},
      infrastructure_document_id ${t.id},
      status ${t.text} not null,
      last_polled ${t.time},
      unique (workspace_id, flow_id, name)
    );
    create index deployments_by_name on deployments (workspace_id, name);
    create index deployments_by_flow on deployments (flow_id);
    create index deployments_by_queue on deployments (work_queue_id);
    create index deployments_ready on deployments (last_polled) where status = 'READY';
    create index deployments_by_limit on deployments (concurrency_limit_id);
    create table deployment_schedules (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      deployment_id ${t.id} not null references deployments (id) on delete cascade,
      schedule ${t.json} not null,
      active ${t.flag} not null,
      max_scheduled_runs ${t.integer},
      parameters ${t.json} not null,
      slug ${t.text},
      catchup ${t.text} not null,
      overlap ${t.text} not null,
      jitter_seconds ${t.real} not null,
      filled_until ${t.time},
      due ${t.time},
      unique (deployment_id, slug)
    );
    create index deployment_schedules_due on deployment_schedules (due);`,
};
