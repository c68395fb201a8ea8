import type { AuditFilter, AuditPage, AuditSelection } from "@orchestrator/contract";
import { formatMicros } from "@orchestrator/kernel/pure";
import type { KeyAccess } from "../access/key-cache.ts";
import { listAuditEntries, removeOldEntries } from "../audit/audit.store.ts";
import type { AccountsContext } from "../context.ts";
import { csvHeader, csvRow } from "./audit-csv.rules.ts";
import { withNames } from "./resource-names.service.ts";

/** Newest first. */
export async function readAuditPage(
  ctx: AccountsContext,
  { accountId: account_id }: KeyAccess,
  { limit, ...conditions }: AuditFilter,
): Promise<AuditPage> {
  const found = await listAuditEntries(ctx.db, { ...conditions, account_id }, limit + 1);
  const entries = await withNames(ctx, account_id, found.slice(0, limit));
  return { entries, next_cursor: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

const EXPORT_PAGE = 500;

/** One page after the other, so that any number of entries takes the memory of one page. */
export async function* exportAudit(
  ctx: AccountsContext,
  { accountId: account_id }: KeyAccess,
  selection: AuditSelection,
): AsyncGenerator<string> {
  yield csvHeader;
  let cursor: string | undefined;
  do {
    const conditions = { ...selection, account_id, ...(cursor === undefined ? {} : { cursor }) };
    const page = await listAuditEntries(ctx.db, conditions, EXPORT_PAGE);
    if (page.length > 0) yield page.map(csvRow).join("");
    cursor = page.length === EXPORT_PAGE ? page.at(-1)?.id : undefined;
  } while (cursor !== undefined);
}

const BATCH = 500;
const MICROS_PER_MS = 1000;

/**
 * In small transactions, the oldest first. When the signal aborts, the next pass continues there.
 */
export async function deleteExpiredEntries(
  ctx: AccountsContext,
  signal: AbortSignal,
): Promise<number> {
  const cutoff = ctx.clock.nowMicros() - ctx.auditSettings.retention * MICROS_PER_MS;
  const expired = { before: formatMicros(cutoff), belowId: idAt(cutoff), limit: BATCH };
  let deleted = 0;
  for (let last = BATCH; last === BATCH && !signal.aborted; deleted += last)
    last = await ctx.db.writeSystem((tx) => removeOldEntries(tx, expired));
  return deleted;
}

/** The least id of that moment: ids sort by the time they were made. */
function idAt(micros: number): string {
  const time = Math.floor(micros / MICROS_PER_MS + 1)
    .toString(16)
    .padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
