import { yieldingBetweenSteps } from "@orchestrator/kernel/pure";
// What an import would do, worked out before anything is done.

import {
  type ImportedItem,
  type ImportedSection,
  MAX_DOCUMENT_MONITORS,
} from "@orchestrator/contract";
import type { UptimeContext } from "../../context.ts";
import type { UptimeDocument } from "../../models.ts";
import type { Question, StoredConfiguration } from "./documents.store.ts";
import { MonitorNames } from "./monitor-names.ts";
import { monitorOutcome, planMonitors } from "./plan-monitors.ts";
import { type PlannedPage, planPages } from "./plan-pages.ts";
import { type PlannedWindow, planWindows } from "./plan-windows.ts";
import { itemOutcome } from "./planned-item.ts";
import type { PlannedMonitor } from "./planned-monitor.ts";

export interface ImportRequest {
  readonly document: UptimeDocument;
  readonly prune: boolean;
}

/** Null for a section that the document does not have. */
export interface ImportPlan {
  readonly monitors: readonly PlannedMonitor[] | null;
  readonly windows: readonly PlannedWindow[] | null;
  readonly pages: readonly PlannedPage[] | null;
}

/** What of the server it depends on. */
export function questionOf({ document, prune }: ImportRequest): Question {
  const { monitors, maintenance, status_pages: pages } = document;
  const own = (monitors ?? []).map(({ name }) => name);
  const named = [
    ...(monitors ?? []).flatMap(({ parents }) => parents ?? []),
    ...(maintenance ?? []).flatMap((window) => window.monitors ?? []),
    ...(pages ?? []).flatMap(({ groups }) =>
      (groups ?? []).flatMap((group) => (group.monitors ?? []).map(({ monitor }) => monitor)),
    ),
  ];
  const trimmed = (names: readonly string[]) => [...new Set(names.map((name) => name.trim()))];
  return {
    names: trimmed([...own, ...named]),
    kept: prune && monitors !== undefined ? trimmed(own) : null,
    mostOthers: MAX_DOCUMENT_MONITORS + 1,
    hasWindows: maintenance !== undefined,
    hasPages: pages !== undefined,
  };
}

/** Throws with all that is wrong with a section of the document. */
export async function planImport(
  ctx: UptimeContext,
  { document, prune }: ImportRequest,
  present: StoredConfiguration,
): Promise<ImportPlan> {
  const { monitors: entries, maintenance, status_pages } = document;
  const planned = entries === undefined ? null : await planMonitors(ctx, { entries, present });
  const monitors = new MonitorNames(planned ?? [], present.monitors);
  const after = (planned ?? []).flatMap((one) => one.after ?? []);
  const all = [...present.listed, ...present.monitors, ...after];
  const shared = { prune, monitors, nameOf: new Map(all.map(({ id, name }) => [id, name])) };
  return {
    monitors: planned,
    windows: maintenance
      ? planWindows(ctx, { ...shared, entries: maintenance, there: present.windows })
      : null,
    pages: status_pages
      ? planPages(ctx, { ...shared, entries: status_pages, there: present.pages })
      : null,
  };
}

/** What the caller is told of it. */
export async function planOutcome(ctx: UptimeContext, { monitors, windows, pages }: ImportPlan) {
  const turn = yieldingBetweenSteps();
  const section = async <Item>(
    items: readonly Item[] | null,
    told: (item: Item) => ImportedItem,
  ): Promise<ImportedSection | null> => {
    if (items === null) return null;
    const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
    const all: ImportedItem[] = [];
    for (const item of items) {
      const one = told(item);
      counts[one.action] += 1;
      all.push(one);
      await turn();
    }
    return { ...counts, items: all };
  };
  return {
    monitors: await section(monitors, (one) => monitorOutcome(ctx, one)),
    maintenance: await section(windows, itemOutcome),
    status_pages: await section(pages, itemOutcome),
  };
}
