// The log of a flow run as CSV (RFC 4180).

import type { DownloadedLog } from "./logs.table.ts";

export const CSV_HEADER = "timestamp,level,flow_run_id,task_run_id,message\r\n";

const LEVEL_NAMES: Readonly<Record<number, string>> = {
  0: "NOTSET",
  10: "DEBUG",
  20: "INFO",
  30: "WARNING",
  40: "ERROR",
  50: "CRITICAL",
};

export type CsvLine = (log: DownloadedLog) => string;

export const csvLine: CsvLine = (log) => {
  const level = LEVEL_NAMES[log.level] ?? `Level ${log.level}`;
  return cells(log, log.timestamp, level);
};

/** Times and levels as Python writes them: a space before the time of day, and no microseconds where there are none. */
export const plainCsvLine: CsvLine = (log) => {
  const timestamp = log.timestamp
    .replace("T", " ")
    .replace(/\.0+Z$/, "Z")
    .replace("Z", "+00:00");
  return cells(log, timestamp, String(log.level));
};

function cells({ flow_run_id, task_run_id, message }: DownloadedLog, ...first: string[]): string {
  const last = [flow_run_id ?? "", task_run_id ?? "", csvText(message)];
  return `${[...first, ...last].join(",")}\r\n`;
}

/** A cell that begins like this is a formula to a spreadsheet, which may run it. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

function csvText(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The header that makes browsers save the download under a name: once in ASCII, once in full (RFC 6266, RFC 5987). */
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

/** How many of the next lines to read, by the bytes of each: as many as keep the page small, and at least one. */
export function linesThatFit(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size, index) => {
    bytes += size;
    return index > 0 && bytes > MOST_BYTES;
  });
  return tooMany === -1 ? sizes.length : tooMany;
}
