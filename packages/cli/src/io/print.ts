import { writeJson, writeReadableJson } from "@orchestrator/exact-json";
import { clean, escapeJson } from "../output/clean.ts";
import { type TableColumn, tableText } from "../output/table.ts";
import type { CliSession } from "./session.ts";

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

/** Where nobody has said how many there are to be, and there may be more. */
export function sayIfCut({ usualLimit }: Pick<CliSession, "usualLimit">, shown: number): void {
  if (usualLimit !== null && shown >= usualLimit)
    say(`No more than ${usualLimit} are shown: --limit takes another number`);
}

/**
 * Rows as a table for people, as an array for programs; whoever sees a part of a list is told so.
 */
export function printRows<Row>(
  { json, usualLimit }: Pick<CliSession, "json" | "usualLimit">,
  rows: readonly Row[],
  {
    columns,
    none,
  }: {
    readonly columns: readonly TableColumn<Row>[] /** Said where there are none: the next step. */;
    readonly none: string;
  },
): void {
  if (json) printJson(rows);
  else if (rows.length > 0) print(tableText(columns, rows));
  else say(none);
  sayIfCut({ usualLimit }, rows.length);
}

/** One thing: its facts for people, the whole of it for programs. */
export function printOne(
  { json }: CliSession,
  value: object,
  facts: Readonly<Record<string, string | number | null | undefined>>,
): void {
  if (json) return printJson(value);
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  for (const [name, fact] of Object.entries(facts))
    print(`${name.padEnd(width)}  ${fact === "" ? "–" : (fact ?? "–")}`);
}

/** What was done, for people; the thing itself for programs. */
export function printDone({ json }: CliSession, text: string, value?: unknown): void {
  if (json) printJson(value);
  else print(text);
}
