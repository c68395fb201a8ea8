import { type Argument, Command, Help } from "commander";
import { expect, test } from "vitest";
import { NOUNS } from "./nouns.ts";
import { addWords } from "./read-words.ts";

const HEAD = `# Commands

Every command with its arguments and options, written from the commands themselves. Each takes \`--help\`, which shows examples, too.
Commands that print a result take \`--json\`. What all commands share: [command line](cli.md).
`;

test("the reference page of the commands is current", async () => {
  const program = new Command();
  await addWords(program, NOUNS, []);
  const sections: string[] = [];
  for (const noun of program.commands) sections.push(await nounSection(noun.name()));
  const page = [HEAD, ...sections].join("\n");
  await expect(page).toMatchFileSnapshot("../../../docs/reference/commands.md");
});

async function nounSection(name: string): Promise<string> {
  const program = new Command();
  await addWords(program, NOUNS, [name]);
  const noun = program.commands.find((command) => command.name() === name);
  if (noun === undefined) throw new Error(`There is no ${name}`);
  if (noun.commands.length === 0) return `## ${name}\n\n${commandText(noun, name)}`;
  const commands = await commandsBelow([name], noun);
  const parts = commands.map(({ path, command }) => `### ${path}\n\n${commandText(command, path)}`);
  const aliases = noun.aliases().map((alias) => `\`${alias}\``);
  const also = aliases.length === 0 ? "" : ` Also ${aliases.join(", ")}.`;
  return [`## ${name}\n\n${plain(noun.description())}.${also}\n`, ...parts].join("\n");
}

interface PathCommand {
  readonly path: string;
  readonly command: Command;
}

/** The commands of a noun, each read as if it had been typed. */
async function commandsBelow(words: readonly string[], parent: Command): Promise<PathCommand[]> {
  const found: PathCommand[] = [];
  for (const child of parent.commands) {
    const path = [...words, child.name()];
    const command = await commandAt(path);
    if (command.commands.length > 0) found.push(...(await commandsBelow(path, command)));
    else found.push({ path: path.join(" "), command });
  }
  return found;
}

async function commandAt(path: readonly string[]): Promise<Command> {
  let command = new Command();
  await addWords(command, NOUNS, path);
  for (const name of path) {
    const child = command.commands.find((one) => one.name() === name);
    if (child === undefined) throw new Error(`There is no ${path.join(" ")}`);
    command = child;
  }
  return command;
}

function commandText(command: Command, path: string): string {
  const help = new Help();
  const items = [
    ...command.registeredArguments
      .filter(({ description }) => description !== "")
      .map((argument) => item(argumentText(argument), help.argumentDescription(argument))),
    ...command.options
      .filter(({ hidden, long }) => !hidden && long !== "--json")
      .map((option) => item(option.flags, help.optionDescription(option))),
  ];
  const words = command.registeredArguments.map(argumentText);
  return [
    `${plain(command.description())}.`,
    "",
    ...(words.length > 0 ? [`    orchestrator ${[path, ...words].join(" ")}`, ""] : []),
    ...items,
    ...(items.length > 0 ? [""] : []),
  ].join("\n");
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const item = (term: string, about: string): string =>
  about === ""
    ? `- \`${term}\``
    : `- \`${term}\`: ${plain(about.replace(/ ?\(default: \[\]\)/, ""))}`;

/** Markdown would read these as its own. */
const plain = (text: string): string => text.replaceAll(/(?<!`[^`]*)[*<_](?![^`]*`)/g, "\\$&");
