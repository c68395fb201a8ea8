// What an import does with status pages. A file names monitors where a page has their ids.

import {
  MAX_STATUS_PAGES,
  type PageGroupEntry,
  type PageGroupInput,
  type StatusPageEntry,
} from "@orchestrator/contract";
import type { UptimeContext } from "../../context.ts";
import { groupsOf, type StatusPageRow, showOf } from "../../db/tables/status-pages.table.ts";
import { invalid } from "../../monitors/monitor-input.rules.ts";
import { pageDraftOf } from "../../pages/page-input.rules.ts";
import { differencesBetween } from "./differences.rules.ts";
import { type MonitorNames, noMonitor } from "./monitor-names.ts";
import { planSection, type SectionRequest } from "./plan-section.ts";
import { type PlannedItem, unchangedItem } from "./planned-item.ts";

export type PlannedPage = PlannedItem<StatusPageRow>;

/** In the order in which people read it. Monitors that are gone are left out. */
export function pageEntry(
  row: StatusPageRow,
  nameOf: ReadonlyMap<string, string>,
): StatusPageEntry {
  const { slug, title, description, theme, published } = row;
  const groups = groupsOf(row).map(({ name, monitors, tags }) => ({
    name,
    monitors: monitors.flatMap(({ id, name: shown }) => {
      const monitor = nameOf.get(id);
      return monitor === undefined ? [] : [{ monitor, name: shown }];
    }),
    tags,
  }));
  return { slug, title, description, theme, published, show: [...showOf(row)], groups };
}

type Request = SectionRequest<StatusPageEntry, StatusPageRow>;

/**
 * Throws with all that is wrong with the section. In the order of the document, those deleted last.
 */
export function planPages(
  ctx: Pick<UptimeContext, "clock" | "ids">,
  request: Request,
): PlannedPage[] {
  const planOne = (entry: StatusPageEntry, before: StatusPageRow | null) =>
    plan(ctx, { ...request, entry, before });
  return planSection(
    { section: "status_pages", key: "slug", most: MAX_STATUS_PAGES, planOne },
    request,
  );
}

interface One extends Pick<Request, "monitors" | "nameOf"> {
  readonly entry: StatusPageEntry;
  readonly before: StatusPageRow | null;
}

function plan(
  { clock, ids }: Pick<UptimeContext, "clock" | "ids">,
  { entry, before, monitors, nameOf }: One,
): PlannedPage {
  const groups = (entry.groups ?? []).map((group) => withIds(group, monitors));
  // What is left out has its default, so that a file means the same on every server; but nothing is
  // taken back by it.
  const published = entry.published ?? before?.published ?? false;
  const draft = pageDraftOf({ ...entry, published, groups });
  const { slug: name } = draft;
  const now = clock.now();
  if (before === null) {
    const after = { ...draft, id: ids.uuid7(), created_at: now, updated_at: now };
    return { name, action: "created", before, after, differences: [] };
  }
  const after = { ...before, ...draft, updated_at: now };
  const differences = differencesBetween(pageEntry(before, nameOf), pageEntry(after, nameOf));
  return unchangedItem({ name, before, after, differences });
}

function withIds(
  { name, monitors = [], tags = [] }: PageGroupEntry,
  known: MonitorNames,
): PageGroupInput {
  const { unknown } = known.resolve(monitors.map(({ monitor }) => monitor));
  if (unknown.length > 0) throw invalid("groups", noMonitor(unknown));
  return {
    name,
    tags,
    monitors: monitors.map((each) => ({
      id: known.idOf(each.monitor.trim()) ?? "",
      name: each.name ?? null,
    })),
  };
}
