import type {
  ExportQuery,
  ImportOutcome,
  ImportQuery,
  UptimeDocument,
} from "@orchestrator/contract";
import { ensure, getWith } from "../transport/operation.ts";

/** All that is watched as one document, for other servers and for keeping under version control. */
export const documents = {
  export: getWith<(query?: Omit<ExportQuery, "format">) => UptimeDocument>("/export"),
  /** The same as a text in the wanted format, as it arrives. */
  download: getWith<(query?: Partial<ExportQuery>) => ReadableStream<Uint8Array>>("/export", {
    streams: true,
  }),
  /**
   * Makes monitors, maintenance windows and status pages those of the document; `dry_run` only
   * tells what would change.
   */
  import: ensure<(document: UptimeDocument, query?: Partial<ImportQuery>) => ImportOutcome>(
    "/import",
    { takes: "both" },
  ),
};
