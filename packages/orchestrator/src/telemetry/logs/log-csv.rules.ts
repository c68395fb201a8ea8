// The log of a flow run as CSV.

import { csvLine } from "@orchestrator/kernel/lists";
import type { DownloadedLog } from "../../db/tables/logs.table.ts";

export const CSV_HEADER = csvLine(["timestamp", "level", "flow_run_id", "task_run_id", "message"]);

const LEVEL_NAMES: Readonly<Record<number, string>> = {
  0: "NOTSET",
  10: "DEBUG",
  20: "INFO",
  30: "WARNING",
  40: "ERROR",
  50: "CRITICAL",
};

export type LogCsvLine = (log: DownloadedLog) => string;

export const logLine: LogCsvLine = ({ timestamp, level, flow_run_id, task_run_id, message }) =>
  csvLine([timestamp, LEVEL_NAMES[level] ?? `Level ${level}`, flow_run_id, task_run_id, message]);

/**
 * Times and levels as Python writes them: a space before the time of day, and no microseconds where
 * there are none.
 */
export const plainLogLine: LogCsvLine = (log) => {
  const { level, flow_run_id, task_run_id, message } = log;
  const timestamp = log.timestamp
    .replace("T", " ")
    .replace(/\.0+Z$/, "Z")
    .replace("Z", "+00:00");
  return csvLine([timestamp, level, flow_run_id, task_run_id, message]);
};

/**
 * The header that makes browsers save the download under a name: once in ASCII, once in full (RFC
 * 6266, RFC 5987).
 */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const full = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}

export const MOST_LINES = 1000;
const MOST_BYTES = 4_000_000;

/**
 * How many of the next lines to read, by the bytes of each: as many as keep the page small, and at
 * least one.
 */
export function linesThatFit(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size, index) => {
    bytes += size;
    return index > 0 && bytes > MOST_BYTES;
  });
  return tooMany === -1 ? sizes.length : tooMany;
}
