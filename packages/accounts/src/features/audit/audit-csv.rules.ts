// CSV as RFC 4180 has it. Programs that show tables take a text that begins with one of a few characters for a formula,
// and user agents and names are others' words: an apostrophe in front makes it text.
import type { KeptEntry } from "../../audit/audited.rules.ts";

const COLUMNS = [
  "occurred",
  "result",
  "status",
  "actor_kind",
  "actor_id",
  "actor_name",
  "api_key_id",
  "api_key_prefix",
  "operation",
  "method",
  "route",
  "permission",
  "workspace_id",
  "resource_id",
  "resource",
  "address",
  "user_agent",
  "request_id",
  "id",
] as const satisfies readonly (keyof KeptEntry)[];

const FORMULA = /^[=+\-@\t\r\n＋－＝＠]/;
const QUOTED = /[",\r\n]|^\s|\s$/;

export const csvHeader = `${COLUMNS.join(",")}\r\n`;

export function csvRow(entry: KeptEntry): string {
  return `${COLUMNS.map((column) => cell(entry[column])).join(",")}\r\n`;
}

function cell(value: string | number | object | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const plain = typeof value === "string" ? value : JSON.stringify(value);
  const text = FORMULA.test(plain) ? `'${plain}` : plain;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
