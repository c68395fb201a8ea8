import { print } from "../../io/print.ts";
import { green, red, yellow } from "../../output/style.ts";
import { type TableColumn, tableText } from "../../output/table.ts";
import { KINDS } from "./kind-names.ts";
import type { TransferItem } from "./transfer-context.ts";

export interface KindSummary {
  readonly kind: string;
  readonly created: number;
  readonly exists: number;
  readonly left_out: number;
  readonly failed: number;
}

/**
 * How many of each kind, in the order of the transfer; kinds of which there are none are left out.
 */
export function transferSummaries(items: readonly TransferItem[]): KindSummary[] {
  return KINDS.flatMap((kind) => {
    const own = items.filter((item) => item.kind === kind);
    const count = (outcome: TransferItem["outcome"]): number =>
      own.filter((item) => item.outcome === outcome).length;
    const summary = {
      kind,
      created: count("created"),
      exists: count("exists"),
      left_out: count("left_out"),
      failed: count("failed"),
    };
    return own.length === 0 ? [] : [summary];
  });
}

/** A table, and below it each that needs somebody's attention. */
export function printReport(items: readonly TransferItem[], isDryRun: boolean): void {
  const count =
    (key: Exclude<keyof KindSummary, "kind">, colour: (text: string) => string) =>
    (summary: KindSummary): string =>
      summary[key] === 0 ? "0" : colour(String(summary[key]));
  const columns: TableColumn<KindSummary>[] = [
    { title: "Kind", cell: ({ kind }) => kind },
    {
      title: isDryRun ? "Would be created" : "Created",
      cell: count("created", green),
      right: true,
    },
    { title: "There already", cell: ({ exists }) => exists, right: true },
    { title: "Left out", cell: count("left_out", yellow), right: true },
    { title: "Failed", cell: count("failed", red), right: true },
  ];
  print(tableText(columns, transferSummaries(items)));
  const noted = items.filter(({ note }) => note !== null);
  if (noted.length > 0) print("");
  for (const { kind, name, outcome, note } of noted) {
    const paint = outcome === "failed" ? red : outcome === "left_out" ? yellow : String;
    const word = outcome === "failed" ? "failed" : outcome === "left_out" ? "left out" : "note";
    print(`${paint(word)}: ${kind} ${name}: ${note}`);
  }
}
