import {
  MAX_REPORT_UPDATES,
  type ReportUpdate,
  type ReportUpdateCreate,
  type StatusReport,
  type StatusReportChange,
  type StatusReportCreate,
  type StatusReportList,
} from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { UptimeContext } from "../context.ts";
import { STATUS_PAGES_TOPIC, type StatusPageRow } from "../db/tables/status-pages.table.ts";
import { type StatusReportRow, updatesOf } from "../db/tables/status-reports.table.ts";
import { emitPageEvent } from "../events/page-events.ts";
import { findIncident } from "../incidents/incidents.store.ts";
import { unknownIncident } from "./page-input.rules.ts";
import { STATUS_REPORT_LIST } from "./status-pages.filter.ts";
import { findStatusPage, lockStatusPage } from "./status-pages.store.ts";
import {
  findReport,
  insertReport,
  lockReport,
  type ReportKey,
  removeReport,
  updateReportRow,
} from "./status-reports.store.ts";

type Json = Promise<JsonText<StatusReport>>;

export async function listReports(
  ctx: UptimeContext,
  scope: Scope,
  { pageId, resolved, limit, offset }: StatusReportList & { readonly pageId: string },
): Promise<JsonText<StatusReport[]>> {
  const queries = ctx.db.in(scope.workspaceId);
  if ((await findStatusPage(queries, pageId)) === null) throw noPage();
  const filter = {
    page: { any_: [pageId] },
    ...(resolved === undefined ? {} : { resolved: { is_null_: !resolved } }),
  };
  return listJson(queries, STATUS_REPORT_LIST, { filter, limit, offset });
}

export async function readStatusReport(ctx: UptimeContext, scope: Scope, key: ReportKey): Json {
  return found(await findReport(ctx.db.in(scope.workspaceId), key));
}

export async function createReport(
  ctx: UptimeContext,
  scope: Scope,
  { pageId, body }: { readonly pageId: string; readonly body: StatusReportCreate },
): Promise<{ readonly id: string; readonly json: JsonText<StatusReport> }> {
  const now = ctx.clock.now();
  const { state = "investigating", impact = "none", incident_id = null } = body;
  const update = { id: ctx.ids.uuid7(), state, text: textOf(body.text), created_at: now };
  const row: StatusReportRow = {
    id: ctx.ids.uuid7(),
    page_id: pageId,
    incident_id,
    title: textOf(body.title),
    impact,
    state,
    created_at: now,
    updated_at: now,
    resolved_at: state === "resolved" ? now : null,
    updates: JSON.stringify([update]),
  };
  const json = await ctx.db.write(scope.workspaceId, async (tx) => {
    const page = await lockStatusPage(tx, pageId);
    if (page === null) throw noPage();
    await checkIncident(tx, incident_id);
    await insertReport(tx, row);
    await publishReportEvent(ctx, tx, {
      page,
      row,
      verb: "ReportPosted",
      occurred: now,
      text: update.text,
    });
    return found(await findReport(tx, row));
  });
  return { id: row.id, json };
}

/** Changes the given fields only; readers are told of new updates, not of these. */
export function changeReport(
  ctx: UptimeContext,
  scope: Scope,
  { key, changes }: { readonly key: ReportKey; readonly changes: StatusReportChange },
): Json {
  const { title, impact, incident_id } = changes;
  return editReport(ctx, scope, {
    key,
    verb: "ReportChanged",
    async edit(row, tx) {
      if (incident_id != null) await checkIncident(tx, incident_id);
      return {
        ...row,
        title: title === undefined ? row.title : textOf(title),
        impact: impact ?? row.impact,
        incident_id: incident_id === undefined ? row.incident_id : incident_id,
      };
    },
  });
}

/** What is new. Without a state it stays what it was. */
export function postUpdate(
  ctx: UptimeContext,
  scope: Scope,
  { key, body }: { readonly key: ReportKey; readonly body: ReportUpdateCreate },
): Json {
  const now = ctx.clock.now();
  const id = ctx.ids.uuid7();
  const text = textOf(body.text);
  return editReport(ctx, scope, {
    key,
    verb: body.state === "resolved" ? "ReportResolved" : "ReportUpdated",
    text,
    edit(row) {
      const updates = updatesOf(row);
      if (updates.length >= MAX_REPORT_UPDATES)
        throw new AppError("conflict", `A report has at most ${MAX_REPORT_UPDATES} updates`);
      const state = body.state ?? row.state;
      const update: ReportUpdate = { id, state, text, created_at: now };
      return {
        ...row,
        state,
        resolved_at: state === "resolved" ? (row.resolved_at ?? now) : null,
        updates: JSON.stringify([update, ...updates]),
      };
    },
  });
}

/** Mends the text of an update that was posted; its time and state stay. */
export function mendUpdate(
  ctx: UptimeContext,
  scope: Scope,
  {
    key,
    updateId,
    text,
  }: { readonly key: ReportKey; readonly updateId: string; readonly text: string },
): Json {
  const mended = textOf(text);
  return editReport(ctx, scope, {
    key,
    verb: "ReportChanged",
    edit(row) {
      const updates = updatesOf(row);
      if (!updates.some(({ id }) => id === updateId))
        throw new AppError("not_found", "Update not found");
      return {
        ...row,
        updates: JSON.stringify(
          updates.map((update) => (update.id === updateId ? { ...update, text: mended } : update)),
        ),
      };
    },
  });
}

export async function deleteReport(
  ctx: UptimeContext,
  scope: Scope,
  key: ReportKey,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const { page, row } = await lockBoth(tx, key);
    await removeReport(tx, row.id);
    await publishReportEvent(ctx, tx, {
      page,
      row,
      verb: "ReportDeleted",
      occurred: ctx.clock.now(),
    });
  });
}

interface Edit {
  readonly key: ReportKey;
  readonly verb: string;
  /** What was written, for those who read events. */
  readonly text?: string;
  readonly edit: (
    row: StatusReportRow,
    tx: Transaction,
  ) => StatusReportRow | Promise<StatusReportRow>;
}

async function editReport(ctx: UptimeContext, scope: Scope, { key, verb, text, edit }: Edit): Json {
  const now = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const { page, row: before } = await lockBoth(tx, key);
    const row = { ...(await edit(before, tx)), updated_at: now };
    if (JSON.stringify(row) !== JSON.stringify({ ...before, updated_at: now })) {
      await updateReportRow(tx, row);
      await publishReportEvent(ctx, tx, {
        page,
        row,
        verb,
        occurred: now,
        ...(text === undefined ? {} : { text }),
      });
    }
    return found(await findReport(tx, key));
  });
}

/** The page first, as everywhere, so that two changes never wait for each other. */
async function lockBoth(
  tx: Transaction,
  key: ReportKey,
): Promise<{ readonly page: StatusPageRow; readonly row: StatusReportRow }> {
  const page = await lockStatusPage(tx, key.page_id);
  const row = page === null ? null : await lockReport(tx, key);
  if (page === null || row === null) throw new AppError("not_found", "Report not found");
  return { page, row };
}

interface ReportEventFacts {
  readonly page: StatusPageRow;
  readonly row: StatusReportRow;
  readonly verb: string;
  readonly occurred: string;
  readonly text?: string;
}

async function publishReportEvent(
  ctx: UptimeContext,
  tx: Transaction,
  { page, row, verb, occurred, text }: ReportEventFacts,
): Promise<void> {
  const { id: report_id, title, state, impact, incident_id } = row;
  const told = { slug: page.slug, published: page.published, report_id, title, state, impact };
  const payload = { ...told, incident_id, ...(text === undefined ? {} : { text }) };
  await emitPageEvent(ctx, tx, { page, verb, occurred, payload });
  tx.notify(STATUS_PAGES_TOPIC);
}

async function checkIncident(tx: Transaction, id: string | null): Promise<void> {
  if (id !== null && (await findIncident(tx, id)) === null) throw unknownIncident();
}

function textOf(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new AppError("invalid", "A text is more than white space");
  return trimmed;
}

const noPage = (): AppError => new AppError("not_found", "Status page not found");

function found<T>(report: T | null): T {
  if (report === null) throw new AppError("not_found", "Report not found");
  return report;
}
