import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { flowNamesById } from "../../io/find.ts";
import { parseDuration, parseWholeNumber } from "../../io/options.ts";
import { printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { stateText } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";
import { findPool } from "./find-pool.ts";

interface Options {
  readonly within: number;
  readonly limit: number;
}

const HOUR = 3600;
const SHOWN = 50;

/** Looks, and does not ask for work as a worker does: that would make the pool look served. */
export function previewWorkPoolCommand(): Command {
  return leaf()
    .argument("<name>")
    .option(
      "--within <time>",
      "those that are due within so long (default: 1h)",
      parseDuration,
      HOUR,
    )
    .option("--limit <count>", "at most so many", parseWholeNumber(1), SHOWN)
    .addHelpText("after", examples("work-pool preview local --within 24h"))
    .action(async (name: string, { within, limit }: Options, command: Command) => {
      const session = sessionOf(command);
      await findPool(session, name);
      const rows = await collect(
        session.client.flowRuns.each({
          work_pools: { name: { any_: [name] } },
          flow_runs: {
            state: { type: { any_: ["SCHEDULED"] } },
            next_scheduled_start_time: {
              before_: new Date(Date.now() + within * 1000).toISOString(),
            },
          },
          sort: "NEXT_SCHEDULED_START_TIME_ASC",
          limit,
        }),
      );
      const ids = rows.map(({ flow_id }) => flow_id);
      const flows = session.json ? new Map<string, string>() : await flowNamesById(session, ids);
      printRows(session, rows, {
        columns: [
          { title: "Due", cell: (run) => timeAgo(run.next_scheduled_start_time) },
          { title: "Run", cell: (run) => run.name },
          { title: "Flow", cell: ({ flow_id }) => flows.get(flow_id) },
          { title: "Queue", cell: ({ work_queue_name }) => work_queue_name },
          { title: "State", cell: (run) => stateText(run.state_type, run.state_name) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: `Nothing is due in ${name}`,
      });
    });
}
