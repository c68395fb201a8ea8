import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { serverCommand } from "./commands/server/server.ts";
import { fail } from "./output/fail.ts";

/** Reads the command line and does what it says; sets the exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", ignoreClosedPipe);
  process.stderr.on("error", ignoreClosedPipe);
  const program = new Command("orchestrator")
    .description("Deploy, schedule, run and observe workflows; watch services.")
    .version(readVersion(), "-V, --version", "show the version")
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

/** Whoever reads may have seen enough, as in `orchestrator server settings | head`. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function readVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** A command keeps this to itself, so each one below must be told. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExiting(child);
}
