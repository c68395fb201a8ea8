// What an import does with a section of a document whose rows are few enough to be read all at
// once.

import type { DocumentSection } from "@orchestrator/contract";
import { ambiguous, ImportProblems, refuseTwins, tooMany } from "./import-problems.rules.ts";
import type { MonitorNames } from "./monitor-names.ts";
import type { PlannedItem } from "./planned-item.ts";

export interface SectionRequest<Entry, Row> {
  readonly entries: readonly Entry[];
  readonly prune: boolean;
  readonly there: readonly Row[];
  readonly monitors: MonitorNames;
  /** Monitor → its name, before the import and after it. */
  readonly nameOf: ReadonlyMap<string, string>;
}

type Named<Key extends string> = Readonly<Record<Key, string>>;

interface Section<Key extends string, Entry, Row> {
  readonly section: DocumentSection;
  /** The field by which entries and rows are told apart. */
  readonly key: Key;
  readonly most: number;
  readonly planOne: (entry: Entry, before: Row | null) => PlannedItem<Row>;
}

/**
 * Throws with all that is wrong with the section. In the order of the document, those deleted last.
 */
export function planSection<Key extends string, Entry extends Named<Key>, Row extends Named<Key>>(
  { section, key, most, planOne }: Section<Key, Entry, Row>,
  { entries, prune, there }: Pick<SectionRequest<Entry, Row>, "entries" | "prune" | "there">,
): PlannedItem<Row>[] {
  const names = entries.map((entry) => entry[key].trim());
  refuseTwins(section, key, names);
  const rows = new Map<string, Row>();
  for (const row of there) {
    if (rows.has(row[key]) && names.includes(row[key])) throw ambiguous(section, row[key]);
    rows.set(row[key], row);
  }
  const problems = new ImportProblems(section);
  const planned = entries.flatMap((entry, index) => {
    const name = names[index] ?? "";
    return problems.trying(() => planOne(entry, rows.get(name) ?? null), index, name) ?? [];
  });
  problems.assertNone();
  const gone = there.filter((row) => prune && !names.includes(row[key]));
  const count = planned.filter(({ action }) => action === "created").length;
  if (there.length - gone.length + count > most) throw tooMany(section, most);
  return [...planned, ...gone.map((before) => deleted(before[key], before))];
}

function deleted<Row>(name: string, before: Row): PlannedItem<Row> {
  return { name, action: "deleted", before, after: null, differences: [] };
}
