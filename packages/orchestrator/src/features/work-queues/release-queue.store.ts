import type { Transaction } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import { OCCUPYING } from "../work-pools/work-pools.table.ts";

const releaseDeployments = statement<{ queueId: string }>()((db, p) =>
  db
    .updateTable("deployments")
    .set({ work_queue_id: null })
    .where("workspace_id", "=", p.workspace_id)
    .where("work_queue_id", "=", p.queueId),
);

/** The queue is found in its workspace, and a partial index leads from it to its runs. */
const releaseRunsThat = (condition: string) =>
  statement<{ queueId: string }>()((db, p) =>
    db
      .updateTable("flow_runs")
      .set({ work_queue_id: null })
      .where("work_queue_id", "=", (e) =>
        e
          .selectFrom("work_queues")
          .select("work_queues.id")
          .where("work_queues.workspace_id", "=", p.workspace_id)
          .where("work_queues.id", "=", p.queueId),
      )
      .where(sql<boolean>`${sql.raw(condition)}`),
  );
const releaseWaiting = releaseRunsThat("flow_runs.state_type = 'SCHEDULED'");
const releaseOccupying = releaseRunsThat(OCCUPYING);

/** Whatever was to be worked on in a queue that goes has none any more. What has ended keeps the id it had. */
export async function releaseQueue(tx: Transaction, queueId: string): Promise<void> {
  await tx.run(releaseDeployments, { queueId });
  await tx.run(releaseWaiting, { queueId });
  await tx.run(releaseOccupying, { queueId });
}
