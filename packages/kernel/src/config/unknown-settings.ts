import { listSettings, type SettingGroup } from "./setting.ts";
import type { Env } from "./setting-types.ts";

export interface UnknownSetting {
  readonly name: string;
  /** The known name it most resembles, or null when none is close. */
  readonly suggestion: string | null;
  /** One sentence for a warning; holds no value. */
  readonly message: string;
}

export interface UnknownSettingsQuery {
  readonly definitions: SettingGroup;
  readonly env: Env;
  /** Variables that begin otherwise belong to others and are left alone. */
  readonly prefixes: readonly string[];
  /** Names that another program of the family reads. */
  readonly knownElsewhere: readonly string[];
}

/**
 * Variables that look like ours and mean nothing: most often a misspelt name whose default then
 * quietly holds.
 */
export function findUnknownSettings(query: UnknownSettingsQuery): readonly UnknownSetting[] {
  const defined = listSettings(query.definitions).map((setting) => setting.name);
  const known = [...defined, ...query.knownElsewhere];
  return Object.keys(query.env)
    .filter((name) => query.prefixes.some((prefix) => name.startsWith(prefix)))
    .filter((name) => !known.includes(name))
    .sort()
    .map((name) => {
      const suggestion = nearest(name, known);
      const hint = suggestion === null ? "" : `; did you mean ${suggestion}?`;
      const message = `${name} is set in the environment but no setting has that name${hint || "."}`;
      return { name, suggestion, message };
    });
}

function nearest(name: string, known: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(name.length / 5));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Letters to add, drop, change or swap with their neighbour to get from one text to the other. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      current[column] = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? cell(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return cell(last, to.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
