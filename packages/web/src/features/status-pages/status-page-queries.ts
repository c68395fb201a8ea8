import { queryOptions } from "@tanstack/react-query";
import { uptime } from "../../api/uptime.ts";
import { isFirst, workspacePrefix } from "../../api/workspace.ts";

export const statusPagesQuery = queryOptions({
  queryKey: ["status-pages", "all"],
  queryFn: ({ signal }) => uptime.statusPages.list({ limit: 200 }, { signal }),
});

export const statusPageById = (id: string) =>
  queryOptions({
    queryKey: ["status-pages", "one", id],
    queryFn: ({ signal }) => uptime.statusPages.read(id, { signal }),
  });

export const reportsOfPage = (id: string) =>
  queryOptions({
    queryKey: ["status-pages", "reports", id],
    queryFn: ({ signal }) => uptime.statusReports.list(id, { limit: 50 }, { signal }),
  });

/** Those that a report may be about, the latest first. */
export const reportableIncidentsQuery = queryOptions({
  queryKey: ["monitors", "incidents", "to-tell"],
  queryFn: ({ signal }) => uptime.incidents.list({ limit: 100 }, { signal }),
});

/** Where everybody finds the page; those of the first workspace have the shorter address. */
export const publicAddress = (slug: string): string =>
  `/uptime${isFirst ? "" : workspacePrefix}/status/${slug}`;
