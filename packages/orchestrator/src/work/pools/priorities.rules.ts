// Priorities in a pool: 1 comes first, and no two queues have the same.

export interface Prioritised {
  readonly id: string;
  readonly priority: number;
}

/** Which queues get which new priority. */
type Moves = readonly Prioritised[];

const ascending = (queues: readonly Prioritised[]): Prioritised[] =>
  queues.toSorted((one, other) => one.priority - other.priority);

/** The first number that no queue has. */
export function freePriority(queues: readonly Prioritised[]): number {
  const taken = new Set(queues.map(({ priority }) => priority));
  let priority = 1;
  while (taken.has(priority)) priority += 1;
  return priority;
}

/** Makes room at a priority: who has it gives way, and so on up to the first gap. */
export function shiftPriorities(queues: readonly Prioritised[], wanted: number): Moves {
  const moves: Prioritised[] = [];
  let next = wanted;
  for (const { id, priority } of ascending(queues)) {
    if (priority < wanted) continue;
    if (priority > next) break;
    next = priority + 1;
    moves.push({ id, priority: next });
  }
  return moves;
}
