import type { Logger } from "@orchestrator/kernel/log";
import { type Database, type MigrationList, sharedTables } from "@orchestrator/kernel/storage";
import type { ProgramSettings } from "./settings.ts";
import { StartupError } from "./startup-error.ts";

/**
 * In mode `accounts`, and only there, the database itself keeps workspaces apart as well, where it
 * can.
 */
export async function confineWorkspaces(
  db: Database,
  { server, database: { rowSecurity } }: ProgramSettings,
  { migrations, log }: { readonly migrations: readonly MigrationList[]; readonly log: Logger },
): Promise<void> {
  if (server.authMode !== "accounts" || rowSecurity === "off") return;
  const found = await db.confineRows(sharedTables(migrations));
  if (found.state === "on") return;
  if (found.state === "none") {
    if (rowSecurity === "required")
      throw new StartupError(
        "ORCHESTRATOR_DATABASE_ROW_SECURITY is `required`, and SQLite has no row-level security: use PostgreSQL, or leave the setting out",
      );
    return;
  }
  const { reason, remedy } = found;
  if (rowSecurity === "required")
    throw new StartupError(
      `ORCHESTRATOR_DATABASE_ROW_SECURITY is \`required\`, and row-level security is not possible: ${reason}. An administrator of the database mends that by: ${remedy}`,
    );
  log.warn(
    { reason, remedy },
    `Workspaces are kept apart by the program alone, because row-level security is not possible: ${reason}. An administrator of the database mends that by: ${remedy} Set ORCHESTRATOR_DATABASE_ROW_SECURITY=off to be told no more`,
  );
}
