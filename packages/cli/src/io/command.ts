import { Command, Help, Option } from "commander";

/** A command that can answer in JSON: `--json`, or `-o json` as elsewhere. */
export function leaf(usage: string, about: string): Command {
  return new Command()
    .name(usage.split(" ")[0] ?? usage)
    .description(about)
    .configureHelp({ optionDescription })
    .option("--json", "print JSON on stdout and nothing else")
    .addOption(
      new Option("-o, --output <format>", "another way to ask for JSON")
        .choices(["json"])
        .hideHelp(),
    );
}

/** That something is empty unless it is given goes without saying. */
const optionDescription = (option: Option): string =>
  new Help().optionDescription(option).replace(/ ?\(default: \[\]\)/, "");

/** A noun and what can be done with it. */
export function noun(name: string, about: string, leaves: readonly Command[]): Command {
  const command = new Command(name).description(about);
  for (const child of leaves) command.addCommand(child);
  return command;
}

/** Shown at the end of a command's help, each as it would be typed. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ orchestrator ${line}`).join("\n")}`;
