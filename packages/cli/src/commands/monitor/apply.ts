import type { ImportOutcome, UptimeDocument } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { print, printJson, say } from "../../io/print.ts";
import { readObjectFile } from "../../io/read-document.ts";
import { sessionOf } from "../../io/session.ts";
import { differenceLines, doomedIn, importSummary } from "./import-difference.ts";

interface Options {
  readonly file: string;
  readonly dryRun?: true;
  readonly prune?: true;
  readonly yes?: true;
}

export function applyMonitorsCommand(): Command {
  return leaf()
    .requiredOption("-f, --file <path>", "YAML or JSON; - for the standard input")
    .option("--dry-run", "only show what would change")
    .option("--prune", "also delete what the sections of the file do not name, with its history")
    .option("-y, --yes", "do not ask before deleting")
    .addHelpText(
      "after",
      `\nIn the file, \${env:NAME} stands for a variable of the environment and \${stored} for the secret that the server keeps.\n${examples(
        "monitor apply -f uptime.yaml --dry-run",
        "monitor apply -f uptime.yaml",
        "monitor apply -f uptime.yaml --prune -y",
      )}`,
    )
    .action(async ({ file, dryRun, prune: isPruning, yes }: Options, command: Command) => {
      const session = sessionOf(command);
      const document = (await readObjectFile(file)) as unknown as UptimeDocument;
      const { documents } = session.uptime;
      const prune = isPruning === true;
      const foreseen =
        dryRun || (prune && !yes)
          ? await documents.import(document, { dry_run: true, prune })
          : null;
      if (dryRun && foreseen !== null) {
        if (session.json) return printJson(foreseen);
        return show(foreseen);
      }
      const doomed = foreseen === null ? "" : doomedIn(foreseen);
      if (foreseen !== null && doomed !== "") {
        for (const line of differenceLines(foreseen)) say(line);
        const question = `Delete ${doomed} with all history?`;
        await confirmOrFail(session, { question, yes });
      }
      const outcome = await documents.import(document, { prune });
      if (session.json) printJson(outcome);
      else if (doomed !== "") print(importSummary(outcome));
      else show(outcome);
    });
}

function show(outcome: ImportOutcome): void {
  for (const line of differenceLines(outcome)) print(line);
  print(importSummary(outcome));
}
