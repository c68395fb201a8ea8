import { sleep } from "@orchestrator/kernel/pure";
import type { AccountsContext } from "../../context.ts";
import type { SizeRow } from "../../db/tables.ts";
import { replaceSize } from "../../usage/usage.store.ts";
import { boundBy, keyRanges } from "../removal/keyed-walk.store.ts";
import {
  endOf,
  listWorkspaceTables,
  type WorkspaceTable,
} from "../removal/workspace-tables.store.ts";
import { listAllWorkspaceIds } from "../workspaces/workspaces.store.ts";
import { measureKeyRange, measureTableRange } from "./sizes.store.ts";

/** Rows of the embedded engine, which reads in this process; blocks of PostgreSQL. */
const STRETCH = { sqlite: 500, postgres: 500 };
/** Lets everybody else have a turn. */
const PAUSE_MS = 2;
const BATCH = 200;

/** Goes through all tables once, in small pieces, and writes down how much each workspace has. */
export async function measureWorkspaces(ctx: AccountsContext, signal: AbortSignal): Promise<void> {
  const sizes = new Map<string, { runs: number; bytes: number }>();
  for (const id of await listAllWorkspaceIds(ctx.db)) sizes.set(id, { runs: 0, bytes: 0 });
  for (const table of await listWorkspaceTables(ctx.db))
    for await (const found of measuresOf(ctx, table)) {
      if (signal.aborted) return;
      for (const { workspace_id, rows, bytes } of found) {
        const size = sizes.get(workspace_id);
        if (size === undefined) continue;
        size.bytes += bytes;
        if (table.name === "flow_runs") size.runs += rows;
      }
      await sleep(PAUSE_MS, signal);
    }
  if (!signal.aborted) await writeDown(ctx, sizes);
}

async function* measuresOf({ db }: AccountsContext, table: WorkspaceTable) {
  const step = STRETCH[db.dialect.name];
  if (table.key.length > 0) {
    for await (const range of keyRanges(db, table, step))
      yield await db.system.all(measureKeyRange(table, range), boundBy(range));
    return;
  }
  const end = (await db.system.get(endOf(table), {}))?.end ?? 0;
  for (let from = 0; from < end; from += step)
    yield await db.system.all(measureTableRange(table), { from, to: from + step });
}

async function writeDown(
  ctx: AccountsContext,
  sizes: ReadonlyMap<string, Pick<SizeRow, "runs" | "bytes">>,
): Promise<void> {
  const measured = ctx.clock.now();
  const rows = [...sizes].map(([workspace_id, size]) => ({ workspace_id, measured, ...size }));
  for (let from = 0; from < rows.length; from += BATCH)
    await ctx.db.writeSystem(async (tx) => {
      for (const row of rows.slice(from, from + BATCH)) await replaceSize(tx, row);
    });
}
