import type { FlowRunInfo } from "@orchestrator/sdk";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { parseDuration, parseWholeNumber, several } from "../../io/options.ts";
import { printJson, say } from "../../io/print.ts";
import { withPureStdout } from "../../io/pure-stdout.ts";
import { sessionOf } from "../../io/session.ts";
import { useProfile } from "../../io/use-profile.ts";

interface Options {
  readonly flowName: string;
  readonly flowRunName?: string;
  readonly tag: readonly string[];
  readonly retries?: number;
  readonly retryDelay?: number;
  readonly timeout?: number;
  readonly logOutput: boolean;
}

export function watchShellCommand(): Command {
  return leaf()
    .argument("<command>", "as one word: quote it")
    .option("--flow-name <name>", "the flow that it is a run of", "shell")
    .option("--flow-run-name <name>", "default: made up by the server")
    .option("--tag <tag>", "may be repeated", several, [])
    .option("--retries <count>", "how often it is tried again when it fails", parseWholeNumber(0))
    .option("--retry-delay <time>", "how long to wait before that", parseDuration)
    .option("--timeout <time>", "after so long it is ended, and has failed", parseDuration)
    .option("--no-log-output", "do not keep what it prints with the run")
    .addHelpText(
      "after",
      `
What it prints is printed here as well, and kept with the run: stdout as INFO, stderr as WARNING. It has no standard input. The
command runs in this folder with this environment. Ctrl-C ends it and all that it started.
${examples(
  "shell watch 'pg_dump shop > shop.sql' --flow-name backup",
  "shell watch ./sync.sh --retries 3 --retry-delay 1m --timeout 1h --tag nightly",
)}`,
    )
    .action(async (line: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      useProfile(command);
      const { CommandFailed, commandFlow } = await import("./command-flow.ts");
      const runs: FlowRunInfo[] = [];
      const run = commandFlow({
        name: options.flowName,
        command: line,
        tags: options.tag,
        isOutputKept: options.logOutput,
        ...(options.flowRunName !== undefined && { runName: options.flowRunName }),
        ...(options.retries !== undefined && { retries: options.retries }),
        ...(options.retryDelay !== undefined && { retryDelaySeconds: options.retryDelay }),
        ...(options.timeout !== undefined && { timeoutSeconds: options.timeout }),
        onStart(info) {
          if (runs.length === 0 && !session.json) say(`Flow run ${info.name} (${info.id})`);
          runs.push(info);
        },
      });
      try {
        // What the command prints is no JSON.
        await (session.json ? withPureStdout(run) : run());
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error;
        process.exitCode = error.code;
      }
      const [first] = runs;
      if (session.json && first !== undefined)
        printJson(await session.client.flowRuns.read(first.id));
    });
}
