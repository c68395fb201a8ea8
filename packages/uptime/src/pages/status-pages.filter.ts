import type { ListDefinition } from "@orchestrator/kernel/lists";
import { STATUS_PAGE_FIELDS } from "../db/tables/status-pages.table.ts";
import { STATUS_REPORT_FIELDS } from "../db/tables/status-reports.table.ts";

export const STATUS_PAGE_LIST: ListDefinition<"SLUG_ASC"> = {
  table: "status_pages",
  fields: STATUS_PAGE_FIELDS,
  filter: {},
  sorts: { SLUG_ASC: ["slug asc"] },
  defaultSort: "SLUG_ASC",
};

export const STATUS_REPORT_LIST: ListDefinition<"CREATED_DESC"> = {
  table: "status_reports",
  fields: STATUS_REPORT_FIELDS,
  filter: {
    page: { column: "page_id", kind: "id", operators: ["any_"] },
    resolved: { column: "resolved_at", kind: "time", operators: ["is_null_"] },
  },
  sorts: { CREATED_DESC: ["created_at desc"] },
  defaultSort: "CREATED_DESC",
};

/** What a page needs to know of its monitors; nothing of where they look or how. */
export const PAGE_MONITOR_LIST: ListDefinition<"NAME_ASC"> = {
  table: "monitors",
  fields: { id: "id", name: "text", enabled: "flag", tags: "tags", confirmed_status: "text" },
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    tags: { column: "tags", kind: "tags", operators: ["all_"] },
  },
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
};

export interface PageMonitorRow {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly tags: readonly string[];
  readonly confirmed_status: "up" | "degraded" | "down" | null;
}
