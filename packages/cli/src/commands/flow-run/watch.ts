import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { findFlowRun } from "../../io/find.ts";
import { sessionOf } from "../../io/session.ts";

export function watchFlowRunCommand(): Command {
  return leaf()
    .description(
      "Follow a flow run to its end: states, tasks and log lines. Ctrl-C stops watching, not the run; the exit code is 0 when it completed, else 1.",
    )
    .argument("<run>", "its id or its name")
    .addHelpText("after", examples("flow-run watch brave-otter"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { watchRun } = await import("./watch-run.ts");
      await watchRun(session, await findFlowRun(session, name));
    });
}
