import type { DatabaseStatus } from "@orchestrator/server";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { print, printDone, printJson, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { green, yellow } from "../../output/style.ts";
import { tableText } from "../../output/table.ts";

/** These speak to the database that the settings of this environment name, not to a server. */
export function databaseStatusCommand(): Command {
  return leaf()
    .addHelpText("after", examples("server database status"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      const { databaseStatus, programSettings } = await import("@orchestrator/server");
      const found = await databaseStatus(programSettings.read({ env: process.env }));
      const { location, exists, inUse, schema } = found;
      if (session.json) return printJson({ location, exists, in_use: inUse, schema });
      print(`Database  ${found.location}\nState     ${stateOf(found)}\n`);
      print(
        tableText(
          [
            { title: "Part", cell: ({ component }) => component },
            { title: "Schema", cell: ({ applied, known }) => `${applied ?? "?"} of ${known}` },
            { title: "Last step", cell: ({ latest }) => latest?.name },
            { title: "Taken", cell: ({ latest }) => latest?.applied },
          ],
          found.schema,
        ),
      );
    });
}

function stateOf({ exists, inUse, schema }: DatabaseStatus): string {
  if (!exists) return yellow("not there yet: a start makes it");
  if (inUse) return "in use by a server, which brought it up to date when it started";
  const isBehind = schema.some(({ applied, known }) => (applied ?? 0) < known);
  if (isBehind)
    return yellow(
      "behind: a start, or `orchestrator server database upgrade`, brings it up to date",
    );
  const isAhead = schema.some(({ applied, known }) => (applied ?? 0) > known);
  return isAhead ? yellow("made by a newer version of this program") : green("up to date");
}

export function upgradeDatabaseCommand(): Command {
  return leaf()
    .addHelpText("after", examples("server database upgrade"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      const { programSettings, upgradeDatabase } = await import("@orchestrator/server");
      const applied = await upgradeDatabase(programSettings.read({ env: process.env }));
      const text =
        applied.length === 0 ? "It is up to date already" : `Applied:\n  ${applied.join("\n  ")}`;
      printDone(session, text, { applied });
    });
}

export function downgradeDatabaseCommand(): Command {
  return leaf()
    .addHelpText(
      "after",
      `
A step back would have to throw away what an older version has no place for, so that there is none: the way back is the backup that
was made before the newer version was started.
${examples("server database downgrade")}`,
    )
    .action(async () => {
      const { programSettings, restoreCommands } = await import("@orchestrator/server");
      const commands = restoreCommands(programSettings.read({ env: process.env }));
      const lines = ["orchestrator server stop", ...commands].map((line) => `  ${line}`).join("\n");
      throw new UsageError(
        `Steps of the schema are only ever taken forward; nothing was done. To go back, put the backup that was made before the upgrade in the place of the database, and start the older version:\n${lines}`,
      );
    });
}

export function stampDatabaseCommand(): Command {
  return leaf()
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      `
For a schema that was brought here by other means than this program, such as a copy without its table schema_migrations.
Where the schema is not the one of this version, the server will fail.
${examples("server database stamp", "server database stamp -y")}`,
    )
    .action(async ({ yes }: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const { databaseStatus, programSettings, stampDatabase } = await import(
        "@orchestrator/server"
      );
      const settings = programSettings.read({ env: process.env });
      const { location, inUse, schema } = await databaseStatus(settings);
      const missing = schema.reduce((sum, one) => sum + one.known - (one.applied ?? 0), 0);
      // Of a database in use nothing can be noted, whatever is answered.
      if (missing > 0 && inUse !== true) {
        const question = `Note ${missing} steps as taken in ${location}, without taking them?`;
        await confirmOrFail(session, { question, yes });
      }
      const stamped = await stampDatabase(settings);
      const text =
        stamped.length === 0
          ? "All of them are noted already"
          : `Noted as taken:\n  ${stamped.join("\n  ")}`;
      printDone(session, text, { stamped });
    });
}

export function resetDatabaseCommand(): Command {
  return leaf()
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("server database reset"))
    .action(async ({ yes }: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const { databaseStatus, programSettings, resetDatabase } = await import(
        "@orchestrator/server"
      );
      const settings = programSettings.read({ env: process.env });
      const { location } = await databaseStatus(settings);
      await confirmOrFail(session, {
        question: `Delete everything in ${location}: flows, runs, monitors, history?`,
        yes,
      });
      await confirmOrFail(session, { question: "There is no way back. Delete it all?", yes });
      resetDatabase(settings);
      if (!session.json) say("The sealing keys in the data folder were left alone");
      printDone(session, `Deleted ${location}`, { deleted: location });
    });
}
