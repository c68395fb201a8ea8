import { Command, CommanderError } from "commander";
import { serverCommand } from "./commands/server/server.ts";
import { fail } from "./output/fail.ts";

/** Reads the command line and does what it says; sets the exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command("orchestrator")
    .description("Deploy, schedule, run and observe workflows; watch services.")
    .exitOverride()
    .showSuggestionAfterError()
    .addCommand(serverCommand());
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else fail(error);
  }
}
