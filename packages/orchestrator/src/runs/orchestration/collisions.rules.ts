// Which of the runs that compete for slots go on: the newest ones.

import type { ConcurrencyOptions, OnCollision } from "@orchestrator/contract";

/** A run by when it is due: the later is the newer one. */
export interface Competitor {
  readonly id: string;
  readonly name: string;
  readonly state_id: string | null;
  readonly expected_start_time: string | null;
  readonly next_scheduled_start_time: string | null;
}

/** By when they are due; of two at the same moment, by id. */
export function isNewer(
  one: Pick<Competitor, "id" | "expected_start_time">,
  other: Pick<Competitor, "id" | "expected_start_time">,
): boolean {
  const [a, b] = [one.expected_start_time ?? "", other.expected_start_time ?? ""];
  return a === b ? one.id > other.id : a > b;
}

/**
 * Whether a run that finds no free slot is cancelled. With `skip`, a run that has begun waits, as
 * it has work to lose; established clients expect CANCEL_NEW to cancel it, too.
 */
export function isSkipped(
  run: { readonly run_count: number },
  slots: { readonly options: ConcurrencyOptions | null; readonly onCollision: OnCollision | null },
): boolean {
  if (slots.options?.collision_strategy !== "CANCEL_NEW") return false;
  return slots.onCollision !== "skip" || run.run_count === 0;
}

export interface Competing<Run> {
  readonly onCollision: OnCollision;
  readonly slots: number;
  readonly waiters: readonly Run[];
  readonly holders: readonly Run[];
}

/** Those that go on. The rest is cancelled: runs that wait, and holders with cancel-running. */
export function winnersOf<Run extends Competitor>({
  onCollision,
  slots,
  waiters,
  holders,
}: Competing<Run>): ReadonlySet<string> {
  const newestFirst = (runs: readonly Run[]): Run[] =>
    runs.toSorted((one, other) => (isNewer(one, other) ? -1 : 1));
  if (onCollision === "replace-queued") {
    const [newest] = newestFirst(waiters);
    return new Set([...holders, ...(newest === undefined ? [] : [newest])].map(({ id }) => id));
  }
  const all = newestFirst([...waiters, ...holders]);
  return new Set(all.slice(0, Math.max(1, slots)).map(({ id }) => id));
}

/** The reason in the state of a run that is ended for a newer one. */
export function takenOver(
  { id, name }: Pick<Competitor, "id" | "name">,
  value: string | null,
): string {
  const of = value === null || value === "" ? "" : ` of the concurrency key ${value}`;
  return `The newer run ${name} (${id})${of} takes its place`;
}
