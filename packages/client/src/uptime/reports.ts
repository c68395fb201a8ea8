import type { SlaQuery, SlaReport } from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { getWith } from "../transport/operation.ts";

export const reports = {
  /** The uptime of monitors in a span of time, beside what was promised. */
  sla: getWith<(query?: Given<SlaQuery>) => SlaReport>("/reports/sla"),
  /** The same as CSV, as it arrives. */
  downloadSla: getWith<(query?: Given<SlaQuery>) => ReadableStream<Uint8Array>>(
    "/reports/sla.csv",
    { streams: true },
  ),
};
