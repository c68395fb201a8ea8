import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { findFlowRun } from "../../io/find.ts";
import { printJson, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { useProfile } from "../../io/use-profile.ts";
import { UsageError } from "../../output/fail.ts";
import { ago } from "../../output/time.ts";

interface Options {
  readonly entrypoint?: string;
  readonly folder?: string;
}

export function execute(): Command {
  return leaf("execute", "Execute a flow run in this process, as a worker would")
    .argument("[run]", "its id or its name (default: ORCHESTRATOR_FLOW_RUN_ID)")
    .option("--entrypoint <file:flow>", "where its flow is (default: what its deployment says)")
    .option("--folder <path>", "the folder that the entrypoint begins in (default: this one)")
    .addHelpText("after", examples("flow-run execute brave-otter --entrypoint flows/etl.mjs:etl"))
    .action(async (given: string | undefined, options: Options, command: Command) => {
      const session = sessionOf(command);
      const name = given ?? process.env["ORCHESTRATOR_FLOW_RUN_ID"];
      if (name === undefined || name === "")
        throw new UsageError("Name a flow run, or set ORCHESTRATOR_FLOW_RUN_ID");
      const { id, next_scheduled_start_time: due } = await findFlowRun(session, name);
      if (due !== null && Date.parse(due) > Date.now()) say(`It is due ${ago(due)}; waiting`);
      useProfile(command);
      // What the flow prints is no JSON.
      if (session.json) process.env["ORCHESTRATOR_SDK_LOG_PRINT"] = "false";
      const { runFlowRun } = await import("@orchestrator/sdk");
      const outcome = await runFlowRun(id, options);
      if (session.json) printJson(await session.client.flowRuns.read(id));
      if (outcome === "failed") process.exitCode = 1;
    });
}
