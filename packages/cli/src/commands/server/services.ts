import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { dim, green, red } from "../../output/style.ts";
import { formatDuration } from "../../output/time.ts";
import { loopsOf, READINESS_CALL, type ReadinessReport, unready } from "./readiness.ts";

const COLOURS: Readonly<Record<string, (text: string) => string>> = { ok: green, failing: red };

export function listServicesCommand(): Command {
  return leaf()
    .addHelpText("after", examples("server services ls"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      const readiness: ReadinessReport = await session.client.server
        .readiness(READINESS_CALL)
        .catch(unready);
      printRows(session, loopsOf(readiness), {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Status", cell: ({ status }) => (COLOURS[status] ?? dim)(status) },
          { title: "Passes", cell: ({ passes }) => passes, right: true },
          {
            title: "Last pass",
            cell: ({ secondsSinceLastPass: s }) => (s === null ? null : `${formatDuration(s)} ago`),
          },
          { title: "Error", cell: ({ lastError }) => lastError ?? "" },
        ],
        none: "The server does nothing in the background",
      });
    });
}
