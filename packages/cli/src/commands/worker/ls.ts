import type { Worker } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { stateText } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";
import { findPool } from "../work-pool/find-pool.ts";

export function listWorkersCommand(): Command {
  return leaf()
    .option("--pool <name>", "only those of a work pool")
    .addHelpText("after", examples("worker ls", "worker ls --pool local --json"))
    .action(async ({ pool }: { readonly pool?: string }, command: Command) => {
      const session = sessionOf(command);
      const { workPools, workers } = session.client;
      if (pool !== undefined) await findPool(session, pool);
      const pools =
        pool === undefined ? (await collect(workPools.each())).map((one) => one.name) : [pool];
      const rows: (Worker & { readonly work_pool_name: string })[] = [];
      for (const work_pool_name of pools)
        for await (const worker of workers.each(work_pool_name))
          rows.push({ ...worker, work_pool_name });
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Pool", cell: ({ work_pool_name }) => work_pool_name },
          { title: "Status", cell: ({ status }) => stateText(status) },
          { title: "Heard of", cell: ({ last_heartbeat_time }) => timeAgo(last_heartbeat_time) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no workers: `orchestrator worker start --pool NAME` starts one",
      });
    });
}
