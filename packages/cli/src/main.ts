import { Command, CommanderError, Option } from "commander";
import { loadClient } from "./io/client-library.ts";
import { NOUNS } from "./nouns.ts";
import { fail } from "./output/fail.ts";
import { ownVersion } from "./own-version.ts";

/** Reads the command line and does what it says; sets the exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", ignoreClosedPipe);
  process.stderr.on("error", ignoreClosedPipe);
  try {
    const program = await programFor(argv);
    throwInsteadOfExiting(program);
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else fail(error);
  }
}

/** Only the noun that is asked for is read whole; the others are a line in the help. */
async function programFor(argv: readonly string[]): Promise<Command> {
  const program = new Command("orchestrator")
    .description("Deploy, schedule, run and observe workflows; watch services.")
    .version(ownVersion(), "-V, --version", "show the version")
    .addOption(new Option("-p, --profile <name>", "use another profile"))
    .addOption(new Option("--no-prompt", "never ask; what would be asked is refused"))
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .hook("preAction", loadClient);
  const asked = askedNoun(argv);
  for (const { name, aliases = [], about, load } of NOUNS) {
    const isAsked = asked === name || (asked !== undefined && aliases.includes(asked));
    const command = isAsked ? await load() : new Command(name).description(about);
    program.addCommand(command.aliases([...command.aliases(), ...aliases]));
  }
  return program;
}

/** The first word that is neither an option nor the value of one. */
function askedNoun(argv: readonly string[]): string | undefined {
  const at = argv.findIndex(
    (word, i) => !word.startsWith("-") && !["-p", "--profile"].includes(argv[i - 1] ?? ""),
  );
  const word = argv[at];
  return word === "help" ? argv[at + 1] : word;
}

/** Whoever reads may have seen enough, as in `orchestrator flow ls | head`. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** A command keeps this to itself, so each one below must be told. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExiting(child);
}
