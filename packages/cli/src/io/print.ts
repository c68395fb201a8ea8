import { writeJson, writeReadableJson } from "@orchestrator/kernel/json";
import { clean, escapeJson } from "../output/clean.ts";
import { type Column, tableText } from "../output/table.ts";
import type { Session } from "./session.ts";

/** Results for people. */
export function print(text: string): void {
  process.stdout.write(`${clean(text)}\n`);
}

/** Results for programs. */
export function printJson(value: unknown): void {
  process.stdout.write(`${escapeJson(writeReadableJson(value ?? null))}\n`);
}

/** One of many results that programs read as they come. */
export function printJsonLine(value: object): void {
  process.stdout.write(`${escapeJson(writeJson(value))}\n`);
}

/** For people who watch; programs that read stdout never see it. */
export function say(text: string): void {
  process.stderr.write(`${clean(text, process.stderr)}\n`);
}

/** Rows as a table for people, as an array for programs. */
export function printRows<Row>(
  { json }: Session,
  rows: readonly Row[],
  {
    columns,
    none,
  }: {
    readonly columns: readonly Column<Row>[] /** Said where there are none: the next step. */;
    readonly none: string;
  },
): void {
  if (json) return printJson(rows);
  if (rows.length === 0) return say(none);
  print(tableText(columns, rows));
}

/** One thing: its facts for people, the whole of it for programs. */
export function printOne(
  { json }: Session,
  value: object,
  facts: Readonly<Record<string, string | number | null | undefined>>,
): void {
  if (json) return printJson(value);
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  for (const [name, fact] of Object.entries(facts))
    print(`${name.padEnd(width)}  ${fact === "" ? "–" : (fact ?? "–")}`);
}

/** What was done, for people; the thing itself for programs. */
export function printDone({ json }: Session, text: string, value?: unknown): void {
  if (json) printJson(value);
  else print(text);
}
