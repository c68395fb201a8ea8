// Flows, and their deployments with schedules and promises.

import type { Deployment, DeploymentCreate, Flow, Sla } from "@orchestrator/contract";
import { collect } from "../../../io/collect.ts";
import type { Side } from "../sides.ts";
import type { Transfer } from "../transfer-context.ts";
import { type CreatedItem, type FoundItem, type TransferKind } from "../transfer-kind.ts";

export const flowKind: TransferKind<Flow> = {
  kind: "flow",
  find: async ({ client }) =>
    (await collect(client.flows.each({ sort: "NAME_ASC" }))).map((row) => ({
      id: row.id,
      name: row.name,
      row,
    })),
  plan({ to }, { row: { name, tags, labels } }) {
    return () => to.client.flows.create({ name, tags, labels });
  },
};

export const deploymentKind: TransferKind<Deployment> = {
  kind: "deployment",
  find: listDeployments,
  plan(transfer, { row }) {
    const fields = fieldsFor(transfer, row);
    return () => create(transfer, row, fields);
  },
};

async function listDeployments({ client }: Side): Promise<FoundItem<Deployment>[]> {
  const flowRows = await collect(client.flows.each());
  const flowNames = new Map(flowRows.map(({ id, name }) => [id, name]));
  const rows = await collect(client.deployments.each({ sort: "NAME_ASC" }));
  return rows.map((row) => ({
    id: row.id,
    name: `${flowNames.get(row.flow_id) ?? "?"}/${row.name}`,
    row,
  }));
}

/** Its own limit is made with it; one that it shares with others is transferred by itself. */
const isOwn = ({ id, global_concurrency_limit: limit }: Deployment): boolean =>
  limit !== null && limit.name === `deployment:${id}`;

function fieldsFor({ ids, isPausing }: Transfer, row: Deployment): DeploymentCreate {
  const limit = row.global_concurrency_limit;
  ids.needAny(row.work_queue_id, `its work queue ${row.work_pool_name}/${row.work_queue_name}`);
  return {
    name: row.name,
    flow_id: ids.need(row.flow_id, "its flow"),
    version: row.version,
    description: row.description,
    paused: isPausing || row.paused,
    schedules: row.schedules.map((one) => ({
      schedule: one.schedule,
      active: one.active,
      max_scheduled_runs: one.max_scheduled_runs,
      parameters: one.parameters,
      slug: one.slug,
      catchup: one.catchup,
      overlap: one.overlap,
      jitter_seconds: one.jitter_seconds,
    })),
    ...(limit !== null &&
      (isOwn(row)
        ? { concurrency_limit: limit.limit }
        : { global_concurrency_limit_id: ids.need(limit.id, `its limit ${limit.name}`) })),
    concurrency_options: row.concurrency_options,
    job_variables: ids.replaced(row.job_variables),
    parameters: row.parameters,
    tags: row.tags,
    labels: row.labels,
    work_pool_name: row.work_pool_name,
    work_queue_name: row.work_queue_name,
    parameter_openapi_schema: row.parameter_openapi_schema,
    path: row.path,
    pull_steps: row.pull_steps === null ? null : ids.replaced(row.pull_steps),
    entrypoint: row.entrypoint,
    storage_document_id: ids.needAny(row.storage_document_id, "the block for its code"),
    infrastructure_document_id: ids.needAny(row.infrastructure_document_id, "its infrastructure"),
    enforce_parameter_schema: row.enforce_parameter_schema,
  };
}

async function create(
  transfer: Transfer,
  row: Deployment,
  fields: DeploymentCreate,
): Promise<CreatedItem> {
  const { client } = transfer.to;
  const made = await client.deployments.create(fields);
  const key = row.global_concurrency_limit?.key ?? null;
  const own = made.global_concurrency_limit;
  if (isOwn(row) && key !== null && own !== null) {
    await client.concurrencyLimits.update(own.id, { key });
  }
  return made;
}

export const slaKind: TransferKind<Sla> = {
  kind: "sla",
  async find(side) {
    const names = new Map((await listDeployments(side)).map(({ id, name }) => [id, name]));
    const rows = await collect(side.client.slas.each());
    return rows.map((row) => ({
      id: row.id,
      name: `${names.get(row.deployment_id) ?? "?"} ${row.name}`,
      row,
    }));
  },
  plan({ to, ids }, { row: { deployment_id, name, kind, seconds, severity, enabled } }) {
    const deployment = ids.need(deployment_id, "its deployment");
    return () => to.client.slas.create(deployment, { name, kind, seconds, severity, enabled });
  },
};
