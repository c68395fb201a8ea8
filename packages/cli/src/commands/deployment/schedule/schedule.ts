import type { Command } from "commander";
import { examples, leaf } from "../../../io/command.ts";
import { confirmOrFail } from "../../../io/confirm.ts";
import { findDeployment } from "../../../io/find.ts";
import { printDone, printRows } from "../../../io/print.ts";
import { sessionOf } from "../../../io/session.ts";
import { LONGEST_IN_TABLE, scheduleText } from "../../../output/schedule-text.ts";
import { yellow } from "../../../output/style.ts";
import { findSchedule } from "./find-schedule.ts";

export function listSchedulesCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .addHelpText("after", examples("deployment schedule ls etl/nightly"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findDeployment(session, name);
      printRows(session, await session.client.deployments.listSchedules(id), {
        columns: [
          {
            title: "Schedule",
            cell: ({ schedule }) => scheduleText({ schedule, active: true }),
            most: LONGEST_IN_TABLE,
          },
          { title: "Active", cell: ({ active }) => (active ? "yes" : yellow("paused")) },
          { title: "Slug", cell: ({ slug }) => slug },
          { title: "Catch-up", cell: ({ catchup }) => catchup },
          { title: "Overlap", cell: ({ overlap }) => overlap },
          { title: "Id", cell: (one) => one.id },
        ],
        none: `${name} has no schedules: \`orchestrator deployment schedule create ${name} --cron '0 9 * * *'\` makes one`,
      });
    });
}

export function setScheduleActiveCommand(active: boolean): Command {
  const verb = active ? "resume" : "pause";
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .argument("<schedule>", "its id or slug")
    .addHelpText("after", examples(`deployment schedule ${verb} etl/nightly night`))
    .action(async (name: string, which: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const deployment = await findDeployment(session, name);
      const { id } = await findSchedule(session, deployment, which);
      await session.client.deployments.updateSchedule(deployment.id, id, { active });
      const now = await findSchedule(session, deployment, id);
      const text = scheduleText({ ...now, active: true });
      printDone(session, `${text} is ${active ? "active again" : "paused"}`, now);
    });
}

interface YesOption {
  readonly yes?: true;
}

export function deleteScheduleCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .argument("<schedule>", "its id or slug")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("deployment schedule delete etl/nightly night"))
    .action(async (name: string, which: string, { yes }: YesOption, command: Command) => {
      const session = sessionOf(command);
      const deployment = await findDeployment(session, name);
      const schedule = await findSchedule(session, deployment, which);
      const text = scheduleText(schedule);
      await confirmOrFail(session, { question: `Delete the schedule ${text} of ${name}?`, yes });
      await session.client.deployments.deleteSchedule(deployment.id, schedule.id);
      printDone(session, `Deleted the schedule ${text}`, { deleted: schedule.id });
    });
}

export function clearSchedulesCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("deployment schedule clear etl/nightly"))
    .action(async (name: string, { yes }: YesOption, command: Command) => {
      const session = sessionOf(command);
      const { deployments } = session.client;
      const { id } = await findDeployment(session, name);
      const schedules = await deployments.listSchedules(id);
      const question = `Delete all ${schedules.length} schedules of ${name}?`;
      if (schedules.length > 0) await confirmOrFail(session, { question, yes });
      for (const schedule of schedules) await deployments.deleteSchedule(id, schedule.id);
      const deleted = schedules.map((schedule) => schedule.id);
      printDone(session, `${name} has no schedules now (${deleted.length} deleted)`, { deleted });
    });
}
