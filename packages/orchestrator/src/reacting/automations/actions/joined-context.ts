import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";

/**
 * The context for verbs that are to be part of a transaction under way: what they read and write
 * goes through it, and is kept or taken back with it. The ids that they make, those of events among
 * them, are put into `made`.
 */
export function joinedContext(
  ctx: OrchestratorContext,
  system: SystemTransaction,
  made: string[],
): OrchestratorContext {
  const refuse = (): never => {
    throw new Error("This cannot be part of another transaction");
  };
  const db: Database = {
    dialect: ctx.db.dialect,
    wakeUps: ctx.db.wakeUps,
    location: ctx.db.location,
    system,
    in: (workspaceId) => system.inWorkspace(workspaceId),
    write: (workspaceId, work) => work(system.inWorkspace(workspaceId)),
    writeSystem: (work) => work(system),
    exclusively: refuse,
    confineRows: refuse,
    updateTrigramIndex: refuse,
    ping: refuse,
    close: refuse,
  };
  const noted = (id: string): string => {
    made.push(id);
    return id;
  };
  const ids: OrchestratorContext["ids"] = {
    uuid4: () => noted(ctx.ids.uuid4()),
    uuid7: () => noted(ctx.ids.uuid7()),
  };
  return { ...ctx, db, ids };
}
