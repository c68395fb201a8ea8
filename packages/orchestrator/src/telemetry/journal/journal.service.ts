// Results of finished calls, for the executor that goes on with the run.

import type { ExecutorClaim, JournalWrite, StoredJournalEntry } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { hasLapsed, RETURN } from "./journal.rules.ts";
import { findEntry, hasRun, listEntries, lockRunStates, upsertEntries } from "./journal.store.ts";

/** Entries of the greatest size are 4 MB. */
const PAGE = 50;

/** Refuses a write of an executor whose run was offered to others. */
export async function fenceExecutors(
  tx: Transaction,
  claims: readonly ExecutorClaim[],
): Promise<void> {
  if (claims.length === 0) return;
  const states = await lockRunStates(tx, new Set(claims.map(({ flow_run_id }) => flow_run_id)));
  const lapsed = claims.find((claim) => hasLapsed(claim, states.get(claim.flow_run_id) ?? null));
  if (lapsed === undefined) return;
  throw new AppError(
    "conflict",
    `The claim ${lapsed.claim_id} on the flow run ${lapsed.flow_run_id} has lapsed`,
  );
}

/** Writes results that belong to no task run. */
export async function writeJournal(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: JournalWrite },
): Promise<void> {
  const finished = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    await fenceExecutors(tx, body.claim == null ? [] : [body.claim]);
    if (!(await hasRun(tx, id))) throw notFound(id);
    const rows = body.entries.map((entry) => ({
      ...entry,
      created: finished,
      flow_run_id: id,
      task_run_id: null,
      finished,
    }));
    upsertEntries(tx, rows);
  });
}

/** What the flow of a run has returned. */
export async function readReturned(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<StoredJournalEntry> {
  const queries = ctx.db.in(scope.workspaceId);
  const entry = await findEntry(queries, { flow_run_id: id, key: RETURN });
  if (entry !== null) return entry;
  if (!(await hasRun(queries, id))) throw notFound(id);
  throw new AppError("not_found", `Flow run ${id} has no stored result`);
}

/** The journal of a run, a JSON object a line, page by page: what is not taken is not read. */
export async function readJournal(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<AsyncIterable<string>> {
  const queries = ctx.db.in(scope.workspaceId);
  if (!(await hasRun(queries, id))) throw notFound(id);
  return linesOf(queries, id);
}

async function* linesOf(queries: Queries, flow_run_id: string): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const entries = await listEntries(queries, { flow_run_id, after, limit: PAGE });
    if (entries.length > 0) yield `${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`;
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    after = last.key;
  }
}

const notFound = (id: string): AppError => new AppError("not_found", `Flow run ${id} not found`);
