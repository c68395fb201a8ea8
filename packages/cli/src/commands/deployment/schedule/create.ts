import type { Command } from "commander";
import { examples, leaf } from "../../../io/command.ts";
import { findDeployment } from "../../../io/find.ts";
import { printDone } from "../../../io/print.ts";
import { sessionOf } from "../../../io/session.ts";
import { scheduleText } from "../../../output/schedule-text.ts";
import {
  type ScheduleFlags,
  saysTimes,
  scheduleFromFlags,
  withScheduleOptions,
} from "./schedule-options.ts";

export function createScheduleCommand(): Command {
  return withScheduleOptions(leaf().argument("<deployment>", "flow/deployment, or its id"))
    .option("--no-active", "make it paused")
    .addHelpText(
      "after",
      examples(
        "deployment schedule create etl/nightly --cron '0 2 * * *' --timezone Europe/Paris",
        "deployment schedule create etl/nightly --interval 15m --overlap skip --slug quarterly",
      ),
    )
    .action(async (name: string, options: ScheduleFlags, command: Command) => {
      if (!saysTimes(options))
        command.error("error: say when: one of --cron, --interval and --rrule", { exitCode: 2 });
      const session = sessionOf(command);
      const { id } = await findDeployment(session, name);
      const made = await session.client.deployments.createSchedules(id, [
        scheduleFromFlags(options),
      ]);
      printDone(session, `${name} runs ${made.map(scheduleText).join("; ")}`, made[0]);
    });
}
