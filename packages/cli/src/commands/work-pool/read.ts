import type { WorkPool } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { stateText } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";
import { findPool } from "./find-pool.ts";

const MOST = 200;

export function listWorkPoolsCommand(): Command {
  return leaf()
    .option("--type <type>", "only those of a type")
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("work-pool ls"))
    .action(
      async (
        { type, limit }: { readonly type?: string; readonly limit: number },
        command: Command,
      ) => {
        const session = sessionOf(command);
        const filter = type === undefined ? {} : { work_pools: { type: { any_: [type] } } };
        printRows(session, await collect(session.client.workPools.each({ ...filter, limit })), {
          columns: [
            { title: "Name", cell: ({ name }) => name },
            { title: "Type", cell: (pool) => pool.type },
            { title: "Status", cell: ({ status }) => stateText(status) },
            { title: "Limit", cell: limitText, right: true },
            { title: "Id", cell: ({ id }) => id },
          ],
          none: "There are no such work pools: `orchestrator work-pool create NAME` makes one",
        });
      },
    );
}

export const limitText = ({
  concurrency_limit,
  active_slots,
}: Pick<WorkPool, "concurrency_limit" | "active_slots">): string =>
  concurrency_limit === null ? "none" : `${active_slots ?? 0} of ${concurrency_limit}`;

export function inspectWorkPoolCommand(): Command {
  return leaf()
    .argument("<name>")
    .addHelpText("after", examples("work-pool inspect local", "work-pool inspect local --json"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const pool = await findPool(session, name);
      if (session.json) return printOne(session, pool, {});
      const { client } = session;
      const queues = await collect(client.workQueues.eachInPool(name));
      const workers = await collect(client.workers.each(name));
      printOne(session, pool, {
        Name: pool.name,
        Description: pool.description,
        Type: pool.type,
        Status: stateText(pool.status),
        "Runs at once": limitText(pool),
        Queues: queues.map((queue) => queue.name).join(", "),
        Workers:
          workers
            .map((one) => `${one.name} (${one.status}, ${timeAgo(one.last_heartbeat_time)})`)
            .join(", ") || "none",
        Created: pool.created,
        Id: pool.id,
      });
    });
}
