import type { SlaQuery, SlaReport } from "@orchestrator/contract";
import { getWith } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

export const reports = {
  /** The uptime of monitors in a span of time, beside what was promised. */
  sla: getWith<(query?: OptionalDefaults<SlaQuery>) => SlaReport>("/reports/sla"),
  /** The same as CSV, as it arrives. */
  downloadSla: getWith<(query?: OptionalDefaults<SlaQuery>) => ReadableStream<Uint8Array>>(
    "/reports/sla.csv",
    { streams: true },
  ),
};
