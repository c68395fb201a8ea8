import type { Command } from "commander";
import { examples, leaf } from "./command.ts";
import { confirmOrFail } from "./confirm.ts";
import { printDone } from "./print.ts";
import { type CliSession, sessionOf } from "./session.ts";

interface Deletion<Row> {
  /** The argument, such as `<monitor>`, and what it may be. */
  readonly argument: readonly [usage: string, about: string];
  readonly example: string;
  readonly find: (session: CliSession, name: string) => Promise<Row>;
  /** What goes, as it stands in the question: `the monitor Shop with its history`. */
  readonly describe: (row: Row) => string;
  readonly deleteRow: (session: CliSession, row: Row) => Promise<unknown>;
}

/** `delete`: it says what goes, asks, and does it. */
export function deleteCommand<Row extends { readonly id: string }>(
  deletion: Deletion<Row>,
): Command {
  const { argument, example, find, describe, deleteRow } = deletion;
  return leaf()
    .argument(...argument)
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples(example))
    .action(async (name: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const row = await find(session, name);
      await confirmOrFail(session, { question: `Delete ${describe(row)}?`, yes: options.yes });
      await deleteRow(session, row);
      printDone(session, `Deleted ${describe(row)}`, { deleted: row.id });
    });
}
