import type { Ancestor, DownParent } from "../../db/tables/dependencies.table.ts";

type State = Pick<Ancestor, "enabled" | "confirmed_status">;

/**
 * Who is down among those that a monitor depends on. What is known of a parent by now goes before
 * what was read of it.
 */
export function downParents(
  ancestors: readonly Ancestor[],
  known: ReadonlyMap<string, State>,
): (monitorId: string) => DownParent | null {
  const byChild = new Map<string, Ancestor[]>();
  for (const ancestor of ancestors) {
    const list = byChild.get(ancestor.child);
    if (list === undefined) byChild.set(ancestor.child, [ancestor]);
    else list.push(ancestor);
  }
  return (monitorId) =>
    byChild.get(monitorId)?.find((each) => isDown(known.get(each.id) ?? each)) ?? null;
}

/** A paused monitor tells nothing. */
const isDown = ({ enabled, confirmed_status }: State): boolean =>
  enabled && confirmed_status === "down";
