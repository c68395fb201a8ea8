import type { ImportDifference, ImportedItem } from "@orchestrator/contract";

/** What an import does with one entry of a section, or with what the section does not name. */
export interface PlannedItem<Row> {
  readonly name: string;
  readonly action: ImportedItem["action"];
  /** Null for what is created. */
  readonly before: Row | null;
  /** Null for what is deleted. */
  readonly after: Row | null;
  readonly differences: readonly ImportDifference[];
}

/** One that was there already. */
export function unchangedItem<Row>(item: Omit<PlannedItem<Row>, "action">): PlannedItem<Row> {
  return { ...item, action: item.differences.length > 0 ? "updated" : "unchanged" };
}

export function itemOutcome<Row extends { readonly id: string }>({
  name,
  action,
  before,
  after,
  differences,
}: PlannedItem<Row>): ImportedItem {
  const id = (before ?? after)?.id ?? null;
  return { name, id, action, differences: action === "updated" ? [...differences] : [] };
}
