import type { MonitorConfigRow } from "../../db/tables/monitors.table.ts";
import { ambiguous } from "./import-problems.rules.ts";
import type { PlannedMonitor } from "./planned-monitor.ts";

/**
 * Which monitor a name in a document means, once the import is done: one of its own, or one that is
 * there and stays.
 */
export class MonitorNames {
  readonly #own = new Map<string, string>();
  readonly #there = new Map<string, string[]>();

  constructor(
    planned: readonly PlannedMonitor[],
    there: readonly Pick<MonitorConfigRow, "id" | "name">[],
  ) {
    const gone = new Set<string>();
    for (const { before, after } of planned)
      if (after !== null) this.#own.set(after.name, after.id);
      else if (before !== null) gone.add(before.id);
    for (const { id, name } of there)
      if (!gone.has(id)) this.#there.set(name, [...(this.#there.get(name) ?? []), id]);
  }

  /** Undefined when there is none of the name; throws when there are several. */
  idOf(name: string): string | undefined {
    const own = this.#own.get(name);
    if (own !== undefined) return own;
    const [id, ...more] = this.#there.get(name) ?? [];
    if (more.length > 0) throw ambiguous("monitors", name);
    return id;
  }

  /** The ids of the names that are known, and the names that are not. */
  resolve(names: readonly string[]): { readonly ids: string[]; readonly unknown: string[] } {
    const ids: string[] = [];
    const unknown: string[] = [];
    for (const name of new Set(names.map((each) => each.trim()))) {
      const id = this.idOf(name);
      if (id === undefined) unknown.push(name);
      else ids.push(id);
    }
    return { ids, unknown };
  }
}

export const noMonitor = (names: readonly string[]): string =>
  `there is no monitor named '${names.join("', '")}'`;
