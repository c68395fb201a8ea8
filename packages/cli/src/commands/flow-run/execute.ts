import { existsSync } from "node:fs";
import type { FlowRun } from "@orchestrator/contract";
import type { RunOutcome } from "@orchestrator/sdk";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { findFlowRun } from "../../io/find.ts";
import { printJson, say } from "../../io/print.ts";
import { withPureStdout } from "../../io/pure-stdout.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { useProfile } from "../../io/use-profile.ts";
import { MisuseError } from "../../output/fail.ts";
import { timeAgo } from "../../output/time.ts";

interface Options {
  readonly entrypoint?: string;
  readonly folder?: string;
}

export function executeFlowRunCommand(): Command {
  return leaf()
    .argument("[run]", "its id or its name (default: ORCHESTRATOR_FLOW_RUN_ID)")
    .option("--entrypoint <file:flow>", "where its flow is (default: what its deployment says)")
    .option(
      "--folder <path>",
      "where to execute it (default: the folder that its deployment names, else this one)",
    )
    .addHelpText(
      "after",
      examples(
        "flow-run execute brave-otter",
        "flow-run execute brave-otter --entrypoint flows/etl.mjs:etl --folder .",
      ),
    )
    .action(async (given: string | undefined, options: Options, command: Command) => {
      const session = sessionOf(command);
      const name = given ?? process.env["ORCHESTRATOR_FLOW_RUN_ID"];
      if (name === undefined || name === "")
        throw new MisuseError("Name a flow run, or set ORCHESTRATOR_FLOW_RUN_ID");
      const run = await findFlowRun(session, name);
      const { id, next_scheduled_start_time: due } = run;
      if (due !== null && Date.parse(due) > Date.now()) say(`It is due ${timeAgo(due)}; waiting`);
      useProfile(command);
      process.chdir(options.folder ?? (await folderOf(session, run)) ?? ".");
      const { runFlowRun } = await import("@orchestrator/sdk");
      const { entrypoint } = options;
      const work = (): Promise<RunOutcome> =>
        runFlowRun(id, entrypoint === undefined ? {} : { entrypoint });
      // What the flow prints is no JSON.
      const outcome = await (session.json ? withPureStdout(work) : work());
      if (session.json) printJson(await session.client.flowRuns.read(id));
      if (outcome === "failed") process.exitCode = 1;
    });
}

/** Where a worker on this machine would execute it. */
async function folderOf(
  { client }: CliSession,
  { deployment_id: id }: FlowRun,
): Promise<string | null> {
  if (id === null) return null;
  const { path } = await client.deployments.read(id);
  return path !== null && existsSync(path) ? path : null;
}
