import type { AuditFilter, AuditPage, AuditSelection } from "@orchestrator/contract";
import { getWith, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

/** Who did what, newest first. */
export const audit = {
  list: query<(accountId: string, filter?: OptionalDefaults<AuditFilter>) => AuditPage>(
    "/accounts/{account_id}/audit/filter",
  ),
  /** All of it as CSV, as it arrives. */
  download: getWith<(accountId: string, selection?: AuditSelection) => ReadableStream<Uint8Array>>(
    "/accounts/{account_id}/audit/export",
    { streams: true },
  ),
};
