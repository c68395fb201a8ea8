import type { Command } from "commander";
import { examples, leaf } from "../../../io/command.ts";
import { findDeployment } from "../../../io/find.ts";
import { parseWholeNumber } from "../../../io/options.ts";
import { printJson, printRows, say } from "../../../io/print.ts";
import { sessionOf } from "../../../io/session.ts";
import { timeAgo } from "../../../output/time.ts";
import {
  type ScheduleFlags,
  saysTimes,
  scheduleFromFlags,
  withScheduleOptions,
} from "./schedule-options.ts";

interface Options extends ScheduleFlags {
  readonly limit: number;
}

const SHOWN = 10;

export function previewScheduleCommand(): Command {
  return withScheduleOptions(leaf().argument("<deployment>", "flow/deployment, or its id"))
    .option("--limit <count>", "how many times", parseWholeNumber(1), SHOWN)
    .addHelpText(
      "after",
      examples(
        "deployment schedule preview etl/nightly",
        "deployment schedule preview etl/nightly --cron '0 6 * * 1'",
      ),
    )
    .action(async (name: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findDeployment(session, name);
      const answer = await session.client.deployments.previewSchedules(id, {
        limit: options.limit,
        ...(saysTimes(options) && { schedules: [scheduleFromFlags(options)] }),
      });
      if (session.json) return printJson(answer);
      // Most schedules never end: that there are more times is nothing to tell.
      printRows({ json: false, usualLimit: null }, answer.times, {
        columns: [
          { title: "Time", cell: ({ time }) => time },
          { title: "When", cell: ({ time }) => timeAgo(time) },
          { title: "Schedule", cell: ({ slug, schedule_id }) => slug ?? schedule_id },
        ],
        none: `${name} has no active schedule`,
      });
      if (saysTimes(options) && answer.deleted_runs > 0)
        say(`The change would make ${answer.deleted_runs} runs anew that have not started`);
    });
}
