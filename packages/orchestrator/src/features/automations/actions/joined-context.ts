import type { Database, SystemTransaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../../context.ts";

/**
 * The context for verbs that are to be part of a transaction under way: what they read and write goes through it, and
 * is kept or taken back with it.
 */
export function joinedContext(
  ctx: OrchestratorContext,
  system: SystemTransaction,
): OrchestratorContext {
  const refuse = (): never => {
    throw new Error("This cannot be part of another transaction");
  };
  const db: Database = {
    dialect: ctx.db.dialect,
    nudges: ctx.db.nudges,
    location: ctx.db.location,
    system,
    in: (workspaceId) => system.inWorkspace(workspaceId),
    write: (workspaceId, work) => work(system.inWorkspace(workspaceId)),
    writeSystem: (work) => work(system),
    exclusively: refuse,
    ping: refuse,
    close: refuse,
  };
  return { ...ctx, db };
}
