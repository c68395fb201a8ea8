import { Command, Help, Option } from "commander";

/**
 * A command that can answer in JSON: `--json`, or `-o json` as elsewhere. Its name and what it does
 * stand in the table of its noun.
 */
export function leaf(): Command {
  return new Command()
    .configureHelp({ optionDescription })
    .option("--json", "print JSON on stdout and nothing else")
    .addOption(
      new Option("-o, --output <format>", "another way to ask for JSON")
        .choices(["json"])
        .hideHelp(),
    );
}

const USUAL_WIDTH = 80;
export const helpWidth = (): number => process.stdout.columns || USUAL_WIDTH;

/**
 * Help of which every paragraph fits the width; what is indented, such as options and examples, is
 * laid out already.
 */
export const reflowed = (text: string, width: number): string =>
  text.replaceAll(/^\S.*(?:\n\S.*)*$/gm, (paragraph) =>
    new Help().boxWrap(paragraph.replaceAll("\n", " "), width),
  );

/** That something is empty unless it is given goes without saying. */
const optionDescription = (option: Option): string =>
  new Help().optionDescription(option).replace(/ ?\(default: \[\]\)/, "");

/** Shown at the end of a command's help, each as it would be typed. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ orchestrator ${line}`).join("\n")}`;
