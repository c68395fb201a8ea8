import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { stateText } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";
import { findPool } from "../work-pool/find-pool.ts";
import { limitText } from "../work-pool/read.ts";
import { findQueue, type PoolOption, withQueue } from "./find-queue.ts";

const MOST = 200;
const SHOWN = 50;

interface ListOptions extends PoolOption {
  readonly limit: number;
}

export function listWorkQueuesCommand(): Command {
  return leaf()
    .option("--pool <name>", "only those of a work pool")
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("work-queue ls --pool local"))
    .action(async ({ pool, limit }: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const { workQueues } = session.client;
      if (pool !== undefined) await findPool(session, pool);
      const rows =
        pool === undefined ? workQueues.each({ limit }) : workQueues.eachInPool(pool, { limit });
      printRows(session, await collect(rows), {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Pool", cell: ({ work_pool_name }) => work_pool_name },
          { title: "Priority", cell: ({ priority }) => priority, right: true },
          { title: "Status", cell: ({ status }) => stateText(status) },
          { title: "Limit", cell: limitText, right: true },
          { title: "Asked", cell: ({ last_polled }) => timeAgo(last_polled) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no such work queues: every new work pool has one",
      });
    });
}

export function inspectWorkQueueCommand(): Command {
  return withQueue(leaf())
    .addHelpText("after", examples("work-queue inspect urgent --pool local"))
    .action(async (name: string, options: PoolOption, command: Command) => {
      const session = sessionOf(command);
      const queue = await findQueue(session, name, options);
      if (session.json) return printOne(session, queue, {});
      const health = await session.client.workQueues.health(queue.id);
      printOne(session, queue, {
        Name: queue.name,
        Pool: queue.work_pool_name,
        Description: queue.description,
        Status: stateText(queue.status),
        Priority: queue.priority,
        "Runs at once": limitText(queue),
        "Late runs": health.late_runs_count,
        "Last asked": timeAgo(queue.last_polled),
        Created: queue.created,
        Id: queue.id,
      });
    });
}

/** Looks, and does not ask for work as a worker does: that would make the queue look served. */
export function previewWorkQueueCommand(): Command {
  return withQueue(leaf())
    .option("--limit <count>", "at most so many", parseWholeNumber(1), SHOWN)
    .addHelpText("after", examples("work-queue preview urgent --pool local"))
    .action(async (name: string, options: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const queue = await findQueue(session, name, options);
      const rows = await collect(
        session.client.flowRuns.each({
          work_queues: { id: { any_: [queue.id] } },
          flow_runs: { state: { type: { any_: ["SCHEDULED"] } } },
          sort: "NEXT_SCHEDULED_START_TIME_ASC",
          limit: options.limit,
        }),
      );
      printRows(session, rows, {
        columns: [
          { title: "Due", cell: (run) => timeAgo(run.next_scheduled_start_time) },
          { title: "Run", cell: (run) => run.name },
          { title: "State", cell: (run) => stateText(run.state_type, run.state_name) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: `Nothing waits in ${name}`,
      });
    });
}
