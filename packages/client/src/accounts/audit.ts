import type { AuditFilter, AuditPage, AuditSelection } from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { getWith, query } from "../transport/operation.ts";

/** Who did what, newest first. */
export const audit = {
  list: query<(accountId: string, filter?: Given<AuditFilter>) => AuditPage>(
    "/accounts/{account_id}/audit/filter",
  ),
  /** All of it as CSV, as it arrives. */
  download: getWith<(accountId: string, selection?: AuditSelection) => ReadableStream<Uint8Array>>(
    "/accounts/{account_id}/audit/export",
    { streams: true },
  ),
};
