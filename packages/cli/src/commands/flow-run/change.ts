import type { FlowRun, JsonObject, OrchestrationResult, StateCreate } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { findFlowRun } from "../../io/find.ts";
import { jsonObject, pair, parseDuration } from "../../io/options.ts";
import { printDone } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { hasRunEnded } from "./states.ts";

const WAITING: ReadonlySet<string> = new Set(["SCHEDULED", "PAUSED"]);

export function cancelFlowRunCommand(): Command {
  return leaf()
    .argument("<runs...>", "ids or names")
    .addHelpText("after", examples("flow-run cancel brave-otter"))
    .action(async (names: readonly string[], _: unknown, command: Command) => {
      const session = sessionOf(command);
      const runs: FlowRun[] = [];
      for (const name of names) runs.push(await findFlowRun(session, name));
      const ended = runs.find(hasRunEnded);
      if (ended) throw new UsageError(`${ended.name} has ended: it is ${ended.state_name}`);
      for (const run of runs) await cancelRun(session, run);
      const after = await Promise.all(runs.map(({ id }) => session.client.flowRuns.read(id)));
      const texts = after.map((run) => `${run.name} is ${run.state_name}`);
      printDone(session, texts.join("\n"), after);
    });
}

/** Where nothing runs there is nobody to wait for. */
async function cancelRun(session: CliSession, run: FlowRun): Promise<void> {
  const isIdle = run.infrastructure_pid === null && WAITING.has(run.state_type ?? "SCHEDULED");
  await propose(session, run, { type: isIdle ? "CANCELLED" : "CANCELLING" });
}

interface ResumeOptions {
  readonly input?: JsonObject;
  readonly param?: JsonObject;
}

export function resumeFlowRunCommand(): Command {
  return leaf()
    .argument("<run>", "its id or its name")
    .option("--input <json>", "what it waits for; - or @file to read it", jsonObject)
    .option("--param <name=value>", "a part of what it waits for; may be repeated", pair)
    .addHelpText("after", examples("flow-run resume brave-otter --param approved=true"))
    .action(async (name: string, { input, param }: ResumeOptions, command: Command) => {
      const session = sessionOf(command);
      const run = await findFlowRun(session, name);
      const given = input ?? param;
      const answer = await session.client.flowRuns.resume(
        run.id,
        given === undefined ? {} : { run_input: { ...input, ...param } },
      );
      requireAccepted(answer, run);
      printDone(session, `${run.name} goes on`, await session.client.flowRuns.read(run.id));
    });
}

interface RetryOptions {
  readonly in?: number;
  readonly watch?: true;
}

export function retryFlowRunCommand(): Command {
  return leaf()
    .argument("<run>", "its id or its name")
    .option("--in <time>", "not before so long, such as 10m", parseDuration)
    .option("--watch", "follow it to its end")
    .addHelpText("after", examples("flow-run retry brave-otter --watch"))
    .action(async (name: string, options: RetryOptions, command: Command) => {
      const session = sessionOf(command);
      const run = await findFlowRun(session, name);
      requireRetryable(run);
      const due = new Date(Date.now() + (options.in ?? 0) * 1000).toISOString();
      await propose(session, run, {
        type: "SCHEDULED",
        name: "AwaitingRetry",
        message: "Asked to run again",
        state_details: { scheduled_time: due },
      });
      const after = await session.client.flowRuns.read(run.id);
      if (options.watch) return (await import("./watch-run.ts")).watchRun(session, after);
      printDone(session, `${run.name} is ${after.state_name}`, after);
    });
}

function requireRetryable(run: FlowRun): void {
  if (!hasRunEnded(run)) throw new UsageError(`${run.name} has not ended: it is ${run.state_name}`);
  if (run.deployment_id === null) {
    throw new UsageError(
      `${run.name} belongs to no deployment, so that no worker would run it: run its flow again, or this run with \`orchestrator flow-run execute ${run.id} --entrypoint FILE:FLOW\``,
    );
  }
}

async function propose({ client }: CliSession, run: FlowRun, state: StateCreate): Promise<void> {
  requireAccepted(await client.flowRuns.setState(run.id, { state }), run);
}

/**
 * A server may put another state in the place of the proposed one, which is no refusal when it
 * means the same.
 */
function requireAccepted({ status, details, state }: OrchestrationResult, run: FlowRun): void {
  if (status === "ACCEPT" || state?.type === "CANCELLED") return;
  throw new UsageError(`${run.name} stays as it is: ${details.reason ?? status}`);
}
