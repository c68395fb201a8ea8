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

export function csvLine(log: DownloadedLog): string {
  const level = LEVEL_NAMES[log.level] ?? `Level ${log.level}`;
  const { timestamp, flow_run_id, task_run_id, message } = log;
  return `${timestamp},${level},${flow_run_id ?? ""},${task_run_id ?? ""},${csvText(message)}\r\n`;
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

const MOST_LINES = 1000;
const MOST_CHARACTERS = 4_000_000;

/** Before anything is known of how long the lines are. */
export const FIRST_PAGE_LINES = 100;

/** How many lines to read next: as many as keep the page small, should they be as long as the last ones. */
export function nextPageLines(lastPage: readonly Pick<DownloadedLog, "message">[]): number {
  const characters = lastPage.reduce((sum, { message }) => sum + message.length, 1);
  const fitting = Math.floor((MOST_CHARACTERS * lastPage.length) / characters);
  return Math.min(MOST_LINES, Math.max(1, fitting));
}
