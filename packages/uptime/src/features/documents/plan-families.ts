// Who depends on whom after an import. A document names parents; between its monitors the order does not matter.

import type { MonitorEntry } from "@orchestrator/contract";
import { InvalidRequestError, type Problem } from "@orchestrator/kernel";
import { invalid } from "../monitors/monitor-input.rules.ts";
import type { NamedMonitors } from "./documents.store.ts";
import { ambiguous, MOST_PROBLEMS, placed } from "./import-problems.rules.ts";
import type { FamilyChange, PlannedMonitor } from "./planned-monitor.ts";

interface Planned {
  readonly entries: readonly MonitorEntry[];
  /** One for each entry. */
  readonly planned: readonly PlannedMonitor[];
  readonly gone: readonly PlannedMonitor[];
}

/** What changes for each entry; null where its parents stay the same. */
export async function planFamilies(
  monitors: NamedMonitors,
  { entries, planned, gone }: Planned,
): Promise<(FamilyChange | null)[]> {
  const wanted = entries.map(({ parents }) => namesOf(parents ?? []));
  const ids = new Map(planned.map(({ after }) => [after?.name ?? "", after?.id ?? ""]));
  const goneIds = new Set(gone.map(({ before }) => before?.id));
  const elsewhere = [...new Set(wanted.flat())].filter((name) => !ids.has(name));
  if (elsewhere.length > 0)
    for (const { id, name } of await monitors.find(elsewhere)) {
      if (goneIds.has(id)) continue;
      if (ids.has(name)) throw ambiguous(name);
      ids.set(name, id);
    }
  const parentsOf = new Map<string, Map<string, string>>();
  for (const { monitor_id, parent_id, parent_name } of await monitors.listEdges())
    if (!goneIds.has(parent_id))
      parentsOf.set(
        monitor_id,
        (parentsOf.get(monitor_id) ?? new Map<string, string>()).set(parent_id, parent_name),
      );

  const problems: Problem[] = [];
  const refuse = (index: number, msg: string): void => {
    const name = planned[index]?.after?.name ?? "";
    for (const problem of invalid("parents", msg).problems)
      problems.push(placed(problem, index, name));
  };
  const changes = planned.map(({ after }, index): FamilyChange | null => {
    const id = after?.id ?? "";
    const before = parentsOf.get(id) ?? new Map<string, string>();
    const names = wanted[index] ?? [];
    const unknown = names.filter((name) => !ids.has(name));
    if (unknown.length > 0) refuse(index, `there is no monitor named '${unknown.join("', '")}'`);
    const parents = new Map(names.map((name) => [ids.get(name) ?? "", name]));
    parentsOf.set(id, parents);
    const isSame = parents.size === before.size && [...parents.keys()].every((p) => before.has(p));
    return isSame
      ? null
      : { before: [...before.values()].sort(), after: names, parentIds: [...parents.keys()] };
  });
  for (const [index, { after }] of planned.entries())
    if (changes[index] !== null && isInCircle(after?.id ?? "", parentsOf))
      refuse(index, "the monitor would depend on itself");
  if (problems.length > 0) throw new InvalidRequestError(problems.slice(0, MOST_PROBLEMS));
  return changes;
}

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
