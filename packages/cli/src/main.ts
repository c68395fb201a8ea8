import { Command, CommanderError, Option } from "commander";
import { loadClient } from "./io/client-library.ts";
import { NOUNS } from "./nouns.ts";
import { fail, MisuseError } from "./output/fail.ts";
import { ownVersion } from "./own-version.ts";
import { addWords } from "./read-words.ts";

/** Reads the command line and does what it says; sets the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", ignoreClosedPipe);
  process.stderr.on("error", ignoreClosedPipe);
  try {
    const program = await programFor(argv);
    answerMistakes(program);
    await program.parseAsync(helpBehind(program, argv), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else fail(error);
  }
}

/** Only what is asked for is read; the rest is a line in the help. */
async function programFor(argv: readonly string[]): Promise<Command> {
  const program = new Command("orchestrator")
    .description("Deploy, schedule, run and observe workflows; watch services.")
    .version(ownVersion(), "-V, --version", "show the version")
    .addOption(new Option("-p, --profile <name>", "use another profile"))
    .addOption(new Option("--no-prompt", "never ask; what would be asked is refused"))
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .hook("preAction", (_, command) => refuseEmpty(command))
    .hook("preAction", loadClient);
  await addWords(program, NOUNS, askedWords(argv));
  for (const noun of program.commands) takeBehind(noun, program);
  return program;
}

/** Whether it is neither an option nor the value of one. */
const isWord = (word: string, at: number, argv: readonly string[]): boolean =>
  !word.startsWith("-") && !["-p", "--profile"].includes(argv[at - 1] ?? "");

/** `help` may stand before any of them. */
function askedWords(argv: readonly string[]): string[] {
  return argv.filter(isWord).filter((word) => word !== "help");
}

/**
 * `help flow ls` is `flow ls --help`. A word that there is not stays without help, so that it is
 * refused as such.
 */
function helpBehind(program: Command, argv: readonly string[]): string[] {
  const at = argv.findIndex(isWord);
  const rest = argv.toSpliced(at, 1);
  const requested = rest.filter(isWord);
  if (argv[at] !== "help" || requested.length === 0) return [...argv];
  let command = program;
  for (const word of requested) {
    if (command.commands.length === 0) break;
    const next = command.commands.find((child) =>
      [child.name(), ...child.aliases()].includes(word),
    );
    if (next === undefined) return rest;
    command = next;
  }
  return [...rest, "--help"];
}

/**
 * What holds for every command may stand behind it as well, where people write it. A `-p` of its
 * own, as elsewhere for a pool or a parameter, comes first.
 */
function takeBehind(command: Command, program: Command): void {
  const hasOwn = command.options.some(({ short }) => short === "-p");
  command
    // Else it would take what stands behind a word that follows.
    .enablePositionalOptions()
    .addOption(new Option(hasOwn ? "--profile <name>" : "-p, --profile <name>").hideHelp())
    .addOption(new Option("--no-prompt").hideHelp())
    .on("option:no-prompt", () => program.setOptionValue("prompt", false));
  for (const child of command.commands) takeBehind(child, program);
}

/**
 * An empty text is what a variable of the shell leaves behind that is not set. Nothing has such a
 * name; a value may be one.
 */
function refuseEmpty(command: Command): void {
  for (const [i, argument] of command.registeredArguments.entries())
    if (command.args[i] === "" && argument.name() !== "value")
      throw new MisuseError(`<${argument.name()}> is empty`);
  for (const option of command.options)
    if (option.flags.endsWith("<name>") && isEmpty(command.getOptionValue(option.attributeName())))
      throw new MisuseError(`${option.long} is empty`);
}

/** One may be given several times. */
const isEmpty = (value: unknown): boolean => [value].flat().includes("");

/** Whoever reads may have seen enough, as in `orchestrator flow ls | head`. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** A command keeps this to itself, so each one below must be told. */
function answerMistakes(command: Command, path = command.name()): void {
  command.exitOverride().showHelpAfterError(`\`${path} --help\` shows how it is typed.`);
  for (const child of command.commands) answerMistakes(child, `${path} ${child.name()}`);
}
