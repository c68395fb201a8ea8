import type { FlowRun } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { deploymentNames, findFlowRun, orNull } from "../../io/find.ts";
import { printOne } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { stateText } from "../../output/style.ts";
import { formatDuration } from "../../output/time.ts";

export function inspectFlowRunCommand(): Command {
  return leaf()
    .argument("<run>", "its id or its name")
    .addHelpText(
      "after",
      examples("flow-run inspect brave-otter", "flow-run inspect brave-otter --json"),
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const run = await findFlowRun(session, name);
      const flow = session.json ? null : await session.client.flows.read(run.flow_id);
      printOne(session, run, {
        Name: run.name,
        Flow: flow?.name,
        State: stateText(run.state_type, run.state_name),
        Message: run.state?.message,
        "Waits for": session.json ? null : await waitsOf(session, run),
        Parameters: writeJson(run.parameters),
        Tags: run.tags.join(", "),
        Expected: run.expected_start_time,
        Started: run.start_time,
        Ended: run.end_time,
        Took: run.start_time === null ? null : formatDuration(run.estimated_run_time),
        Attempts: run.run_count,
        "Work pool": run.work_pool_name,
        "Work queue": run.work_queue_name,
        Deployment: session.json ? null : await deploymentOf(session, run),
        "Created by": run.created_by?.display_value ?? run.created_by?.type,
        Id: run.id,
      });
    });
}

/** What its flow waits for, also while the run is RUNNING. */
async function waitsOf(session: CliSession, { id }: FlowRun): Promise<string | null> {
  const waits = await orNull(session.client.flowRuns.listWaits(id));
  const texts = (waits ?? []).map(({ event, expires }) =>
    event === null ? `the time ${expires}` : `the event ${event} until ${expires}`,
  );
  return texts.length === 0 ? null : texts.join("; ");
}

/** By its name; one that was deleted is still known by its id. */
async function deploymentOf(session: CliSession, { deployment_id: id }: FlowRun) {
  const deployment = id === null ? null : await orNull(session.client.deployments.read(id));
  return deployment === null
    ? id
    : (await deploymentNames(session, [deployment])).get(deployment.id);
}
