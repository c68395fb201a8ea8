import { yieldingBetweenSteps } from "@orchestrator/kernel/pure";
// Who depends on whom after an import. A document names parents; between its monitors the order
// does not matter.

import type { MonitorEntry } from "../../models.ts";
import { invalid } from "../../monitors/monitor-input.rules.ts";
import type { Edge } from "./documents.store.ts";
import { ImportProblems } from "./import-problems.rules.ts";
import { type MonitorNames, noMonitor } from "./monitor-names.ts";
import type { FamilyChange, PlannedMonitor } from "./planned-monitor.ts";

interface Planned {
  readonly entries: readonly MonitorEntry[];
  /** One for each entry. */
  readonly planned: readonly PlannedMonitor[];
  readonly gone: readonly PlannedMonitor[];
  readonly monitors: MonitorNames;
  /** Who depends on whom before the import. */
  readonly edges: readonly Edge[];
}

/** What changes for each entry; null where its parents stay the same. */
export async function planFamilies({
  entries,
  planned,
  gone,
  monitors,
  edges,
}: Planned): Promise<(FamilyChange | null)[]> {
  const goneIds = new Set(gone.map(({ before }) => before?.id));
  const parentsOf = new Map<string, Map<string, string>>();
  for (const { monitor_id, parent_id, parent_name } of edges)
    if (!goneIds.has(parent_id))
      parentsOf.set(
        monitor_id,
        (parentsOf.get(monitor_id) ?? new Map<string, string>()).set(parent_id, parent_name),
      );

  const problems = new ImportProblems("monitors");
  const refuse = (index: number, msg: string): void =>
    problems.add(invalid("parents", msg).problems, index, planned[index]?.after?.name ?? "");
  const change = ({ after }: PlannedMonitor, index: number): FamilyChange | null => {
    const id = after?.id ?? "";
    const before = parentsOf.get(id) ?? NO_PARENTS;
    const names = namesOf(entries[index]?.parents ?? []);
    if (names.length === 0 && before.size === 0) return null;
    const { unknown } = monitors.resolve(names);
    if (unknown.length > 0) refuse(index, noMonitor(unknown));
    const parents = new Map(names.map((name) => [monitors.idOf(name) ?? "", name]));
    parentsOf.set(id, parents);
    const isSame = parents.size === before.size && [...parents.keys()].every((p) => before.has(p));
    return isSame
      ? null
      : { before: [...before.values()].sort(), after: names, parentIds: [...parents.keys()] };
  };
  const turn = yieldingBetweenSteps();
  const changes: (FamilyChange | null)[] = [];
  for (const [index, one] of planned.entries()) {
    changes.push(change(one, index));
    await turn();
  }
  for (const [index, { after }] of planned.entries()) {
    if (changes[index] !== null && isInCircle(after?.id ?? "", parentsOf))
      refuse(index, "the monitor would depend on itself");
    await turn();
  }
  problems.assertNone();
  return changes;
}

const NO_PARENTS: ReadonlyMap<string, string> = new Map();

const namesOf = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.trim()))].sort();

/** Whether a monitor is one of its own parents, near or far. */
function isInCircle(
  id: string,
  parentsOf: ReadonlyMap<string, ReadonlyMap<string, string>>,
): boolean {
  const seen = new Set<string>();
  const open = [...(parentsOf.get(id)?.keys() ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(parentsOf.get(next)?.keys() ?? []));
  }
  return false;
}
