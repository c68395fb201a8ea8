import type { FlowRun, JsonObject } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { findFlowRun, isUuid } from "../../io/find.ts";
import { jsonObject, pair } from "../../io/options.ts";
import { printDone, say } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";

interface Options {
  readonly from: string;
  readonly param?: JsonObject;
  readonly params?: JsonObject;
  readonly name?: string;
  readonly watch?: true;
}

export function rerunFlowRunCommand(): Command {
  return leaf()
    .description(
      "Create a new run of the same deployment that reuses results of this run, which stays as it is.",
    )
    .argument("<run>", "its id or its name")
    .option(
      "--from <point>",
      "failed: reuse all results; start: none; the name or id of a task run: those from before it",
      "failed",
    )
    .option("-p, --param <name=value>", "another value of a parameter; may be repeated", pair)
    .option("--params <json>", "such values as a JSON object; - or @file to read it", jsonObject)
    .option("--name <name>", "the name of the new run")
    .option("--watch", "follow the new run to its end; exit code 0 when it completed, else 1")
    .addHelpText(
      "after",
      examples(
        "flow-run rerun brave-otter --watch",
        "flow-run rerun brave-otter --from load-0",
        "flow-run rerun brave-otter --from start --param day=2026-11-14",
      ),
    )
    .action(async (given: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const run = await findFlowRun(session, given);
      const { param, params, name, watch } = options;
      const made = await session.client.flowRuns.rerun(run.id, {
        from: await pointIn(session, run, options.from),
        parameters: { ...params, ...param },
        ...(name !== undefined && { name }),
      });
      const text = `Made the flow run ${made.name} (${made.id}). ${made.state?.message ?? ""}`;
      if (watch) {
        if (!session.json) say(text);
        return (await import("./watch-run.ts")).watchRun(session, made);
      }
      printDone(session, text, made);
    });
}

/** The server knows task runs by their ids. */
async function pointIn({ client }: CliSession, run: FlowRun, point: string): Promise<string> {
  if (point === "failed" || point === "start" || isUuid(point)) return point;
  const named = { flow_run_id: { any_: [run.id] }, name: { any_: [point] } };
  const [found, another] = await client.taskRuns.list({ task_runs: named, limit: 2 });
  if (found === undefined) {
    throw new UsageError(
      `${run.name} has no task run ${point}. \`orchestrator task-run ls --flow-run ${run.name}\` lists them.`,
    );
  }
  if (another !== undefined)
    throw new UsageError(`${run.name} has several task runs ${point}: name one by its id`);
  return found.id;
}
