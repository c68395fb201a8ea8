import type { Command } from "commander";
import { confirm } from "./ask.ts";
import { examples, leaf } from "./command.ts";
import { printDone } from "./print.ts";
import { type Session, sessionOf } from "./session.ts";

interface Deletion<Row> {
  /** The argument, such as `<monitor>`, and what it may be. */
  readonly argument: readonly [usage: string, about: string];
  readonly example: string;
  readonly find: (session: Session, name: string) => Promise<Row>;
  /** What goes, as it stands in the question: `the monitor Shop with its history`. */
  readonly told: (row: Row) => string;
  readonly remove: (session: Session, row: Row) => Promise<unknown>;
}

/** `delete`: it says what goes, asks, and does it. */
export function deleteCommand<Row extends { readonly id: string }>(
  deletion: Deletion<Row>,
): Command {
  const { argument, example, find, told, remove } = deletion;
  return leaf()
    .argument(...argument)
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples(example))
    .action(async (name: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const row = await find(session, name);
      await confirm(session, { question: `Delete ${told(row)}?`, yes: options.yes });
      await remove(session, row);
      printDone(session, `Deleted ${told(row)}`, { deleted: row.id });
    });
}
