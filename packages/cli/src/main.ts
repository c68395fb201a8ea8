import { Command, CommanderError } from "commander";
import { serverCommand } from "./commands/server/server.ts";
import { fail } from "./output/fail.ts";

/** Reads the command line and does what it says; sets the exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command("orchestrator")
    .description("Deploy, schedule, run and observe workflows; watch services.")
    .showSuggestionAfterError()
    .addCommand(serverCommand());
  throwInsteadOfExiting(program);
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else fail(error);
  }
}

/** A command keeps this to itself, so each one below must be told. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExiting(child);
}
