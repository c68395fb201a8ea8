import type { Obstacle } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { findFlowRun } from "../../io/find.ts";
import { print, printJson } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { bold, dim, stateText } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";

export function explainFlowRunCommand(): Command {
  return leaf()
    .argument("<run>", "its id or its name")
    .addHelpText("after", examples("flow-run explain brave-otter"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const run = await findFlowRun(session, name);
      const explanation = await session.client.flowRuns.explain(run.id);
      if (session.json) return printJson(explanation);
      print(`${bold(run.name)} is ${stateText(run.state_type, run.state_name)}`);
      for (const obstacle of explanation.obstacles) print(blockerText(obstacle));
    });
}

export function blockerText({ is_blocking, message, action, until }: Obstacle): string {
  const when = until === null ? "" : dim(` (${timeAgo(until)})`);
  const step = action === null ? "" : `\n    ${dim("→")} ${action}`;
  return `  ${is_blocking ? "✗" : "·"} ${message}${when}${step}`;
}
