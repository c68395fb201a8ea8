import { Command } from "commander";
import { helpWidth, reflowed } from "./io/command.ts";
import type { Word } from "./word.ts";

/**
 * Gives a command its words. Only those that are asked for are read; of the others there is what
 * help tells.
 */
export async function addWords(
  parent: Command,
  words: readonly Word[],
  [requested, ...further]: readonly string[],
): Promise<void> {
  for (const word of words) {
    const isRequested = word.name === requested || word.aliases?.includes(requested ?? "");
    parent.addCommand(isRequested ? await readWord(word, further) : named(new Command(), word));
  }
}

async function readWord(word: Word, requested: readonly string[]): Promise<Command> {
  const read = await word.load();
  if (read instanceof Command) return named(read, word);
  const command = named(new Command(), word).configureHelp({ subcommandTerm: namesOf });
  await addWords(command, read, requested);
  return command;
}

const namesOf = (command: Command): string => [command.name(), ...command.aliases()].join("|");

/** What a command says of itself is more than its line in the help. */
function named(command: Command, { name, aliases = [], about }: Word): Command {
  return command
    .name(name)
    .aliases(aliases)
    .description(command.description() || about)
    .configureOutput({ writeOut: (text) => process.stdout.write(reflowed(text, helpWidth())) });
}
