// What an import changes, as people read differences: `+` is new, `~` changes, `-` goes.

import type {
  DocumentSection,
  ImportDifference,
  ImportedItem,
  ImportedSection,
  ImportOutcome,
  JsonValue,
} from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";

import { dim, green, red, yellow } from "../../output/style.ts";

/** One and several of each; monitors, which are most, need no word before their names. */
const SECTIONS: readonly (readonly [DocumentSection, string, string])[] = [
  ["monitors", "monitor", "monitors"],
  ["maintenance", "maintenance window", "maintenance windows"],
  ["status_pages", "status page", "status pages"],
];

type SectionWords = readonly [section: ImportedSection, one: string, several: string];

/** The sections that the file has. */
const sectionsIn = (outcome: ImportOutcome): readonly SectionWords[] =>
  SECTIONS.flatMap(([key, ...words]) => {
    const section = outcome[key];
    return section === null ? [] : [[section, ...words] as const];
  });

export function differenceLines(outcome: ImportOutcome): string[] {
  return sectionsIn(outcome).flatMap(([{ items }, noun]) =>
    items.flatMap((item) => linesOf(item, noun === "monitor" ? "" : `${noun} `)),
  );
}

/** `3 monitors, 1 status page`: what goes. */
export const doomedIn = (outcome: ImportOutcome): string =>
  sectionsIn(outcome)
    .filter(([{ deleted }]) => deleted > 0)
    .map(([{ deleted }, ...words]) => countText(deleted, words))
    .join(", ");

const countText = (count: number, [one, several]: readonly [string, string]): string =>
  `${count} ${count === 1 ? one : several}`;

function linesOf({ name, action, differences }: ImportedItem, noun: string): string[] {
  switch (action) {
    case "created":
      return [green(`+ ${noun}${name}`)];
    case "deleted":
      return [red(`- ${noun}${name}`)];
    case "updated":
      return [yellow(`~ ${noun}${name}`), ...differences.map((one) => `    ${changeText(one)}`)];
    case "unchanged":
      return [];
  }
}

function changeText({ field, before, after, secret }: ImportDifference): string {
  if (secret) return `${field}: ${dim("another secret")}`;
  return `${field}: ${red(valueText(before))} → ${green(valueText(after))}`;
}

const valueText = (value: JsonValue): string => (value === null ? "nothing" : writeJson(value));

/** `2 created, 1 changed, 7 unchanged`. */
export function importSummary(outcome: ImportOutcome): string {
  const sections = sectionsIn(outcome);
  if (sections.length === 0) return "The file has no section that is known: nothing was done";
  const sum = (key: "created" | "updated" | "deleted" | "unchanged"): number =>
    sections.reduce((all, [section]) => all + section[key], 0);
  const [created, updated, deleted] = [sum("created"), sum("updated"), sum("deleted")];
  const unchanged = sum("unchanged");
  if (created + updated + deleted === 0) {
    const parts = sections
      .filter(([section], i) => i === 0 || section.unchanged > 0)
      .map(([section, ...words]) => countText(section.unchanged, words));
    return `Unchanged: ${parts.join(", ")} ${unchanged === 1 ? "is" : "are"} as the file says`;
  }
  const counts: readonly (readonly [number, string])[] = [
    [created, "created"],
    [updated, "changed"],
    [deleted, "deleted"],
    [unchanged, "unchanged"],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return outcome.dry_run ? `Would be: ${parts.join(", ")}. Nothing was done` : parts.join(", ");
}
