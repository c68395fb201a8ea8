import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { several } from "../../io/options.ts";
import { say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";

interface Options {
  readonly file?: string;
  readonly format?: "json" | "yaml";
  readonly tag: readonly string[];
}

export function exportMonitorsCommand(): Command {
  return leaf()
    .option("-f, --file <path>", "where to write it; the standard output unless given")
    .addOption(
      new Option("--format <format>", "yaml unless the file ends with .json").choices([
        "yaml",
        "json",
      ]),
    )
    .option(
      "--tag <tag>",
      "only monitors with this tag, and nothing else; given several times, with all of them",
      several,
      [],
    )
    .addHelpText(
      "after",
      `\nSecrets are not exported: \${stored} stands where the server keeps one.\n${examples(
        "monitor export -f uptime.yaml",
        "monitor export --tag prod --json",
      )}`,
    )
    .action(async ({ file, format, tag }: Options, command: Command) => {
      const session = sessionOf(command);
      const isJson =
        session.json || (format ?? (file?.endsWith(".json") ? "json" : "yaml")) === "json";
      const stream = await session.uptime.documents.download({
        format: isJson ? "json" : "yaml",
        ...(tag.length > 0 && { tag: [...tag] }),
      });
      const text = ended(await new Response(stream).text());
      if (file === undefined) process.stdout.write(text);
      else await write(file, text);
    });
}

const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
  say(`Wrote ${file}`);
}
