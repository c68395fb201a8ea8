// What becomes of a deployment's schedules when a changed list of them arrives.

import type { DeploymentScheduleUpdate } from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import type { ScheduleRow } from "../../db/tables/deployments.table.ts";

/** What to do, with the position of each entry in the list that arrived. */
export interface SchedulePlan {
  readonly creates: readonly number[];
  readonly patches: readonly { readonly row: ScheduleRow; readonly position: number }[];
  readonly removes: readonly ScheduleRow[];
}

type Entries = readonly DeploymentScheduleUpdate[];

/**
 * Schedules that all have a slug are merged by it: what is not mentioned stays. Otherwise nobody
 * can tell which is which, and the list replaces what was there.
 */
export function planSchedules(existing: readonly ScheduleRow[], entries: Entries): SchedulePlan {
  if (!haveSlugs(existing)) {
    const creates = entries.flatMap(({ schedule }, position) => (schedule == null ? [] : position));
    return { creates, patches: [], removes: existing };
  }
  return mergeBySlug(existing, entries);
}

/** Whether there are schedules, and each has a name of its own. */
export const haveSlugs = (existing: readonly ScheduleRow[]): boolean =>
  existing.length > 0 && existing.every(({ slug }) => slug !== null);

function mergeBySlug(existing: readonly ScheduleRow[], entries: Entries): SchedulePlan {
  const bySlug = new Map(existing.map((row) => [row.slug, row]));
  const creates: number[] = [];
  const patches: { row: ScheduleRow; position: number }[] = [];
  const taken = new Set<string>();
  const slugs = new Set<string>();
  for (const [position, { slug, replaces, schedule }] of entries.entries()) {
    if (slug == null)
      refuse(position, "slug", "Every schedule needs a slug where those there are have one");
    if (slugs.has(slug)) refuse(position, "slug", `Two schedules have the slug ${slug}`);
    slugs.add(slug);
    const row = (replaces == null ? undefined : bySlug.get(replaces)) ?? bySlug.get(slug);
    if (row === undefined) {
      if (schedule == null)
        refuse(
          position,
          "schedule",
          `There is no schedule with the slug ${slug} to change, and a new one needs a schedule`,
        );
      creates.push(position);
      continue;
    }
    if (taken.has(row.id))
      refuse(position, "replaces", `Two schedules replace the one with the slug ${row.slug}`);
    taken.add(row.id);
    patches.push({ row, position });
  }
  refuseTakenSlugs(existing, { entries, taken });
  return { creates, patches, removes: [] };
}

/** A slug is free when its schedule is renamed by the same list. */
function refuseTakenSlugs(
  existing: readonly ScheduleRow[],
  { entries, taken }: { readonly entries: Entries; readonly taken: ReadonlySet<string> },
): void {
  const untouched = new Set(existing.filter(({ id }) => !taken.has(id)).map(({ slug }) => slug));
  for (const [position, { slug }] of entries.entries()) {
    if (slug != null && untouched.has(slug))
      refuse(position, "slug", `There is another schedule with the slug ${slug}`);
  }
}

function refuse(position: number, key: string, problem: string): never {
  const loc = ["body", "schedules", position, key];
  throw new InvalidRequestError([{ type: "value_error", loc, msg: `Value error, ${problem}` }]);
}
