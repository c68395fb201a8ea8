import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";

/** Only the server knows which there are. */
export function listCheckTypesCommand(): Command {
  return leaf()
    .addHelpText("after", examples("monitor types", "monitor types --json"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      printRows(session, await session.uptime.monitors.checkKinds(), {
        columns: [
          { title: "Type", cell: ({ type }) => type },
          { title: "Title", cell: ({ title }) => title },
          { title: "About", cell: ({ about }) => about },
        ],
        none: "This server has no types of checks",
      });
    });
}
