import type { TaskRun } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { findFlowRun, found, isUuid } from "../../io/find.ts";
import { parseWholeNumber, several } from "../../io/options.ts";
import { printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import { stateText } from "../../output/style.ts";
import { formatDuration, timeAgo } from "../../output/time.ts";
import { type LogOptions, printLogs, readLogs, withLogOptions } from "../flow-run/logs.ts";

const SHOWN = 50;

interface ListOptions {
  readonly flowRun?: string;
  readonly state: readonly string[];
  readonly limit: number;
}

export function listTaskRunsCommand(): Command {
  return leaf()
    .option("--flow-run <run>", "only those of a flow run, by its id or its name")
    .option("--state <name>", "only those in a state, such as Failed; may be repeated", several, [])
    .option("--limit <count>", "at most so many", parseWholeNumber(1), SHOWN)
    .addHelpText("after", examples("task-run ls --flow-run brave-otter --state Failed"))
    .action(async ({ flowRun, state, limit }: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const task_runs = {
        ...(flowRun !== undefined && {
          flow_run_id: { any_: [(await findFlowRun(session, flowRun)).id] },
        }),
        ...(state.length > 0 && { state: { name: { any_: [...state] } } }),
      };
      const rows = await collect(
        session.client.taskRuns.each({ task_runs, sort: "CREATED_DESC", limit }),
      );
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "State", cell: (run) => stateText(run.state_type, run.state_name) },
          { title: "When", cell: (run) => timeAgo(run.start_time ?? run.created) },
          {
            title: "Took",
            cell: (run) =>
              run.start_time === null ? null : formatDuration(run.estimated_run_time),
            right: true,
          },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no such task runs",
      });
    });
}

export function inspectTaskRunCommand(): Command {
  return leaf()
    .argument("<id>", "`orchestrator task-run ls` shows it")
    .addHelpText("after", examples("task-run inspect 01a1dfbd-242b-7027-b6d6-6964bc7c0f07"))
    .action(async (id: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const run = await findTaskRun(session, id);
      printOne(session, run, {
        Name: run.name,
        State: stateText(run.state_type, run.state_name),
        Message: run.state?.message,
        Tags: run.tags.join(", "),
        Started: run.start_time,
        Ended: run.end_time,
        Took: run.start_time === null ? null : formatDuration(run.estimated_run_time),
        Attempts: run.run_count,
        "Cache key": run.cache_key,
        "Flow run": run.flow_run_id,
        Id: run.id,
      });
    });
}

export function taskRunLogsCommand(): Command {
  return withLogOptions(leaf().argument("<id>", "`orchestrator task-run ls` shows it"))
    .addHelpText("after", examples("task-run logs 01a1dfbd-242b-7027-b6d6-6964bc7c0f07 --tail 50"))
    .action(async (id: string, options: LogOptions, command: Command) => {
      const session = sessionOf(command);
      const run = await findTaskRun(session, id);
      const rows = await readLogs(session, { task_run_id: { any_: [run.id] } }, options);
      printLogs(session, rows, `${run.name} has no such lines`);
    });
}

function findTaskRun({ client }: CliSession, id: string): Promise<TaskRun> {
  if (!isUuid(id)) {
    throw new MisuseError(`${id} is no id: \`orchestrator task-run ls --flow-run RUN\` shows them`);
  }
  return found(client.taskRuns.read(id), {
    what: "task run",
    name: id,
    names: () => client.taskRuns.each({ limit: 1 }),
  });
}
