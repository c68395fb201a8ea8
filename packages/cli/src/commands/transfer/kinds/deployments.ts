// Flows, and their deployments with schedules and promises.

import type {
  Deployment,
  DeploymentCreate,
  DeploymentScheduleCreate,
  Flow,
  Sla,
} from "@orchestrator/contract";
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
  plan: ({ to }, { row }) => {
    return () => to.client.flows.create(flowFields(row));
  },
};

export const flowFields = ({ id: _id, created: _c, updated: _u, ...fields }: Flow) => fields;

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

/** All that a record says, but for what the other server decides or names differently. */
export function fieldsFor(
  { ids, isPausing }: Pick<Transfer, "ids" | "isPausing">,
  row: Deployment,
): DeploymentCreate {
  const {
    id: _id,
    created: _created,
    updated: _updated,
    created_by: _createdBy,
    updated_by: _updatedBy,
    status: _status,
    last_polled: _polled,
    schedule: _first,
    concurrency_limit: _old,
    work_queue_id: queue,
    global_concurrency_limit: limit,
    ...fields
  } = row;
  ids.needAny(queue, `its work queue ${row.work_pool_name}/${row.work_queue_name}`);
  return {
    ...fields,
    flow_id: ids.need(row.flow_id, "its flow"),
    paused: isPausing || row.paused,
    schedules: row.schedules.map(scheduleFor),
    ...(limit !== null &&
      (isOwn(row)
        ? { concurrency_limit: limit.limit, concurrency_key: limit.key?.template ?? null }
        : { global_concurrency_limit_id: ids.need(limit.id, `its limit ${limit.name}`) })),
    job_variables: ids.replaced(row.job_variables),
    pull_steps: row.pull_steps === null ? null : ids.replaced(row.pull_steps),
    storage_document_id: ids.needAny(row.storage_document_id, "the block for its code"),
    infrastructure_document_id: ids.needAny(row.infrastructure_document_id, "its infrastructure"),
  };
}

export function scheduleFor(one: Deployment["schedules"][number]): DeploymentScheduleCreate {
  const { id: _id, created: _c, updated: _u, deployment_id: _d, ...fields } = one;
  return fields;
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
  if (isOwn(row) && key !== null && key.template === undefined && own !== null) {
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
  plan({ to, ids }, { row }) {
    const deployment = ids.need(row.deployment_id, "its deployment");
    return () => to.client.slas.create(deployment, slaFields(row));
  },
};

/** What its author decided; how it stands is for the other server to find out. */
export const slaFields = ({ name, kind, seconds, severity, enabled }: Sla) => ({
  name,
  kind,
  seconds,
  severity,
  enabled,
});
