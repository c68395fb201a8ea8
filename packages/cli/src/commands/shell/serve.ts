import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { say } from "../../io/print.ts";
import { useProfile } from "../../io/use-profile.ts";
import { type ServeFlags, serveOptionsOf, withServeFlags } from "../flow/serve-options.ts";

interface Flags extends ServeFlags {
  readonly flowName: string;
  readonly logOutput: boolean;
}

export function serveShellCommand(): Command {
  return withServeFlags(
    leaf()
      .argument("<command>", "as one word: quote it")
      .requiredOption("--flow-name <name>", "the flow that they are runs of"),
  )
    .option("--no-log-output", "do not keep what it prints with the runs")
    .addHelpText(
      "after",
      `
The command is the one that stands here: whoever runs the deployment cannot change it.
${examples(
  "shell serve ./backup.sh --flow-name backup --name nightly --cron '0 2 * * *'",
  "shell serve 'df -h' --flow-name disk -n hourly --interval 1h --limit 1",
)}`,
    )
    .action(async (line: string, flags: Flags, command: Command) => {
      useProfile(command);
      const { commandFlow } = await import("./command-flow.ts");
      const made = commandFlow({
        name: flags.flowName,
        command: line,
        tags: [],
        isOutputKept: flags.logOutput,
      });
      const served = await made.serve(serveOptionsOf(flags));
      const name = `${flags.flowName}/${flags.name}`;
      say(`Serving ${name} until Ctrl-C. Run it with: orchestrator deployment run ${name}`);
      await served.finished;
    });
}
