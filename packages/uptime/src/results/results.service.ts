import type { CheckResult, ResultList } from "@orchestrator/contract";
import { InvalidRequestError, normaliseUuid } from "@orchestrator/kernel/http";
import { AppError, parseMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { UptimeContext } from "../context.ts";
import type { Monitor } from "../models.ts";
import { findMonitor } from "../monitors/monitors.store.ts";
import { type Cursor, hasResults, listResults } from "./results.store.ts";

export interface ResultsPage {
  readonly json: JsonText<CheckResult[]>;
  /** Where the next page begins; null when this is the last. */
  readonly next: string | null;
}

export async function readResults(
  ctx: UptimeContext,
  scope: Scope,
  {
    monitorId,
    since,
    until,
    status,
    before,
    order,
    limit,
    offset,
  }: ResultList & {
    readonly monitorId: string;
  },
): Promise<ResultsPage> {
  const queries = ctx.db.in(scope.workspaceId);
  const monitor = await findMonitor(queries, monitorId);
  if (monitor === null) throw new AppError("not_found", "Monitor not found");
  const { last_check } = JSON.parse(monitor) as Monitor;
  const selection = {
    monitorId,
    since: since ?? null,
    // What is later comes from a clock that was ahead: it stands before no other unless it is asked
    // for.
    until: until ?? last_check,
    statuses: status ?? [],
    after: before === undefined ? null : readCursor(before),
    order: order ?? "desc",
    limit,
    offset,
  };
  const { json, count, last } = await listResults(queries, selection);
  const isLast =
    last === null || count < limit || !(await hasResults(queries, { ...selection, after: last }));
  return { json, next: isLast || last === null ? null : writeCursor(last) };
}

function writeCursor({ checkedAt, id }: Cursor): string {
  return Buffer.from(`${checkedAt} ${id}`).toString("base64url");
}

function readCursor(text: string): Cursor {
  const [checkedAt = "", id = ""] = Buffer.from(text, "base64url").toString().split(" ");
  const known = normaliseUuid(id);
  try {
    parseMicros(checkedAt);
  } catch {
    throw unknownCursor();
  }
  if (typeof known !== "string") throw unknownCursor();
  return { checkedAt, id: known };
}

function unknownCursor(): InvalidRequestError {
  const problem = {
    loc: ["query", "before"],
    msg: "not a cursor of this list",
    type: "value_error",
  };
  return new InvalidRequestError([problem]);
}
