// What an import changes, as people read differences: `+` is new, `~` changes, `-` goes.

import type {
  ImportDifference,
  ImportedMonitor,
  ImportOutcome,
  JsonValue,
} from "@orchestrator/contract";
import { dim, green, red, yellow } from "../../output/style.ts";

export function differenceLines({ monitors }: ImportOutcome): string[] {
  return (monitors?.items ?? []).flatMap(linesOf);
}

function linesOf({ name, action, differences }: ImportedMonitor): string[] {
  switch (action) {
    case "created":
      return [green(`+ ${name}`)];
    case "deleted":
      return [red(`- ${name}`)];
    case "updated":
      return [yellow(`~ ${name}`), ...differences.map((one) => `    ${changeText(one)}`)];
    case "unchanged":
      return [];
  }
}

function changeText({ field, before, after, secret }: ImportDifference): string {
  if (secret) return `${field}: ${dim("another secret")}`;
  return `${field}: ${red(valueText(before))} → ${green(valueText(after))}`;
}

const valueText = (value: JsonValue): string =>
  value === null ? "nothing" : JSON.stringify(value);

/** `2 created, 1 changed, 7 unchanged`. */
export function summaryOf({ dry_run, monitors }: ImportOutcome): string {
  if (monitors === null) return "The file has no section `monitors`: nothing was done";
  const { created, updated, deleted, unchanged } = monitors;
  if (created + updated + deleted === 0)
    return `Unchanged: ${unchanged} ${unchanged === 1 ? "monitor is" : "monitors are"} as the file says`;
  const counts: readonly (readonly [number, string])[] = [
    [created, "created"],
    [updated, "changed"],
    [deleted, "deleted"],
    [unchanged, "unchanged"],
  ];
  const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return dry_run ? `Would be: ${told.join(", ")}. Nothing was done` : told.join(", ");
}
