import { randomBytes } from "node:crypto";
import type { CheckConfig, Monitor, MonitorCreate, MonitorUpdate } from "@orchestrator/contract";
import {
  AppError,
  type JsonText,
  type Keyring,
  KeyringError,
  type Scope,
} from "@orchestrator/kernel";
import type { UptimeContext } from "../../context.ts";
import { emitMonitorEvent } from "../../events/monitor-events.ts";
import { followPipeline } from "../heartbeats/heartbeats.service.ts";
import { removeHeartbeat } from "../heartbeats/heartbeats.store.ts";
import { endObservation, endOpenIncident } from "../rollups/observation.service.ts";
import {
  checkSchedule,
  invalid,
  type MonitorDraft,
  receiveMonitor,
} from "./monitor-input.rules.ts";
import { originOfUrl } from "./monitor-url.rules.ts";
import { changedFields, monitorPayload } from "./monitors.events.ts";
import {
  findMonitor,
  insertMonitor,
  lockMonitor,
  removeMonitorRow,
  updateMonitorConfig,
} from "./monitors.store.ts";
import type { MonitorConfigRow } from "./monitors.table.ts";
import {
  conceal,
  type Probed,
  reveal,
  type Secrets,
  withUrlCredentials,
} from "./pipeline-secrets.rules.ts";
import { openSecrets, sealSecrets } from "./sealed-secrets.ts";

/** Whoever plans the runs of monitors listens for this topic. */
export const MONITORS_TOPIC = "monitors";

const DEFAULTS: Omit<MonitorDraft, "name" | "url"> = {
  pipeline: [{ type: "http" }],
  interval: 60,
  schedule: null,
  timezone: "UTC",
  enabled: true,
  tags: [],
  confirm_down: 1,
  confirm_up: 1,
};

/** A monitor that can be run: with its secrets. */
export interface OpenedMonitor {
  readonly id: string;
  readonly name: string;
  /** Without credentials: those are in the checks. */
  readonly url: string;
  readonly tags: readonly string[];
  readonly pipeline: readonly CheckConfig[];
}

/** Throws a `KeyringError` when the key that sealed its secrets is not there. */
export function openedMonitor(
  { keyring }: Pick<UptimeContext, "keyring">,
  row: Pick<MonitorConfigRow, "id" | "name" | "url" | "pipeline" | "tags" | "secrets">,
): OpenedMonitor {
  const { id, name } = row;
  const tags = JSON.parse(row.tags) as readonly string[];
  const probed = withUrlCredentials(reveal(shownOf(row), openSecrets(keyring, row)));
  return { id, name, tags, ...probed };
}

export async function createMonitor(
  ctx: UptimeContext,
  scope: Scope,
  body: MonitorCreate,
): Promise<{ readonly id: string; readonly json: JsonText<Monitor> }> {
  const given = receiveMonitor(body, limitsOf(ctx));
  const draft: MonitorDraft = { ...DEFAULTS, name: body.name, url: body.url, ...given };
  checkSchedule(draft);
  const now = ctx.clock.now();
  const id = ctx.ids.uuid7();
  const row = rowOf(ctx, { id, created_at: now, updated_at: now, next_run: null }, draft);
  const json = await ctx.db.write(scope.workspaceId, async (tx) => {
    await insertMonitor(tx, row);
    await followPipeline(tx, { monitorId: id, pipeline: row.pipeline, isResumed: false, now });
    await emitMonitorEvent(ctx, tx, {
      monitor: row,
      verb: "Created",
      occurred: now,
      payload: monitorPayload(row),
    });
    tx.nudge(MONITORS_TOPIC);
    return found(await findMonitor(tx, id));
  });
  return { id, json };
}

export async function readMonitor(
  ctx: UptimeContext,
  scope: Scope,
  id: string,
): Promise<JsonText<Monitor>> {
  return found(await findMonitor(ctx.db.in(scope.workspaceId), id));
}

/** Changes the given fields only. What is the same afterwards is not an update and tells no one. */
export async function updateMonitor(
  ctx: UptimeContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: MonitorUpdate },
): Promise<JsonText<Monitor>> {
  const given = receiveMonitor(changes, limitsOf(ctx));
  const now = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const before = found(await lockMonitor(tx, id));
    const draft = { ...draftOf(before), ...given };
    if (given.schedule !== undefined || given.timezone !== undefined) checkSchedule(draft);
    const after = rowOf(ctx, { ...before, updated_at: now }, draft);
    const changed = changedFields(before, after);
    if (changed.length > 0) {
      await updateMonitorConfig(tx, { ...after, next_run: nextRun(before, changed) });
      const isResumed = after.enabled && !before.enabled;
      await followPipeline(tx, { monitorId: id, pipeline: after.pipeline, isResumed, now });
      const told = {
        monitor: after,
        occurred: now,
        payload: { ...monitorPayload(after), changed },
      };
      if (changed.some((field) => field !== "enabled"))
        await emitMonitorEvent(ctx, tx, { ...told, verb: "Updated" });
      if (before.enabled !== after.enabled)
        await emitMonitorEvent(ctx, tx, { ...told, verb: after.enabled ? "Resumed" : "Paused" });
      // From now on its status is not known: paused time is outside of all figures.
      if (before.enabled && !after.enabled) await endObservation(tx, id, now);
      tx.nudge(MONITORS_TOPIC);
    }
    return found(await findMonitor(tx, id));
  });
}

export async function deleteMonitor(ctx: UptimeContext, scope: Scope, id: string): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = found(await lockMonitor(tx, id));
    const now = ctx.clock.now();
    await endOpenIncident(tx, id, now);
    await removeMonitorRow(tx, id);
    await removeHeartbeat(tx, id);
    await emitMonitorEvent(ctx, tx, {
      monitor: row,
      verb: "Deleted",
      occurred: now,
      payload: monitorPayload(row),
    });
    tx.nudge(MONITORS_TOPIC);
  });
}

type Kept = Pick<MonitorConfigRow, "id" | "created_at" | "updated_at" | "next_run"> &
  Partial<Pick<MonitorConfigRow, "url" | "pipeline" | "secrets" | "sealed_with">>;

/** The row of a draft. */
function rowOf(ctx: UptimeContext, kept: Kept, draft: MonitorDraft): MonitorConfigRow {
  const { url, pipeline, ...rest } = draft;
  const { id, created_at, updated_at, next_run } = kept;
  const tags = JSON.stringify(draft.tags);
  return {
    ...rest,
    id,
    created_at,
    updated_at,
    next_run,
    tags,
    ...sealedParts(ctx, kept, { url, pipeline }),
  };
}

/** Where a monitor looks and how, with masks, and its secrets. A mask in it stands for the secret of the row as it was. */
function sealedParts(
  ctx: UptimeContext,
  kept: Kept,
  { url, pipeline }: Probed,
): Pick<MonitorConfigRow, "url" | "pipeline" | "secrets" | "sealed_with"> {
  const { secrets: sealed = null, sealed_with = null } = kept;
  const text = JSON.stringify(pipeline);
  // Masks and all: nothing was changed.
  if (kept.url === url && kept.pipeline === text)
    return { url, pipeline: text, secrets: sealed, sealed_with };
  const known = keptSecrets(ctx, kept);
  const isElsewhere = kept.url !== undefined && originOfUrl(kept.url) !== originOfUrl(url);
  const probed = { url, pipeline: withTokens(pipeline, kept.pipeline) };
  const { shown, secrets, missing } = conceal(probed, (place) =>
    isElsewhere ? undefined : known()[place],
  );
  refuseMasks(missing, isElsewhere);
  const parts = { url: shown.url, pipeline: JSON.stringify(shown.pipeline) };
  // Sealed anew they would look like others.
  if (sealed !== null && sameSecrets(secrets, known))
    return { ...parts, secrets: sealed, sealed_with };
  return { ...parts, ...sealSecrets(ctx.keyring, kept.id, secrets) };
}

/** Opened only when they are asked for: what replaces them all needs no key that has been lost. */
function keptSecrets({ keyring }: UptimeContext, { id, secrets = null }: Kept): () => Secrets {
  let opened: Secrets | undefined;
  return () => {
    opened ??= openedOrNone(keyring, { id, secrets });
    return opened;
  };
}

function sameSecrets(secrets: Secrets, known: () => Secrets): boolean {
  const places = Object.keys(secrets);
  if (places.length === 0) return false;
  const before = known();
  return (
    places.length === Object.keys(before).length &&
    places.every((place) => before[place] === secrets[place])
  );
}

/** What no key opens any more is as good as not kept: it has to be given again. */
function openedOrNone(keyring: Keyring, sealed: Parameters<typeof openSecrets>[1]): Secrets {
  try {
    return openSecrets(keyring, sealed);
  } catch (error) {
    if (error instanceof KeyringError) return {};
    throw error;
  }
}

function refuseMasks(missing: readonly string[], isElsewhere: boolean): void {
  if (missing.length === 0) return;
  const places = missing.join(", ");
  throw isElsewhere
    ? invalid(
        "url",
        `secrets are kept for the host they were given for, and url leads elsewhere: give them again (${places})`,
      )
    : invalid("pipeline", `a mask stands where no secret is kept: give it (${places})`);
}

const TOKEN_BYTES = 24;

/** A heartbeat without a token keeps the one it had, or is given one. */
function withTokens(pipeline: readonly CheckConfig[], before?: string): readonly CheckConfig[] {
  if (!pipeline.some(isTokenless)) return pipeline;
  const earlier = before === undefined ? [] : (JSON.parse(before) as readonly CheckConfig[]);
  const tokens = earlier.flatMap((check) => (check.type === "heartbeat" ? [check.token] : []));
  let count = 0;
  return pipeline.map((check) => {
    if (check.type !== "heartbeat") return check;
    const kept = tokens[count];
    count += 1;
    const token = check.token ?? kept ?? randomBytes(TOKEN_BYTES).toString("base64url");
    return { ...check, token };
  });
}

const isTokenless = (check: CheckConfig): boolean =>
  check.type === "heartbeat" && check.token === undefined;

/** Changes of these leave the plan as it is. */
const BESIDE_THE_PLAN = new Set(["name", "tags", "confirm_down", "confirm_up"]);

function nextRun({ next_run }: MonitorConfigRow, changed: readonly string[]): string | null {
  return changed.every((field) => BESIDE_THE_PLAN.has(field)) ? next_run : null;
}

function shownOf({ url, pipeline }: Pick<MonitorConfigRow, "url" | "pipeline">) {
  return { url, pipeline: JSON.parse(pipeline) as readonly CheckConfig[] };
}

function draftOf(row: MonitorConfigRow): MonitorDraft {
  const { name, interval, schedule, timezone, enabled, confirm_down, confirm_up } = row;
  const tags = JSON.parse(row.tags) as readonly string[];
  const plan = { interval, schedule, timezone, enabled, confirm_down, confirm_up };
  return { name, ...plan, tags, ...shownOf(row) };
}

function limitsOf({ settings }: UptimeContext) {
  return { minIntervalSeconds: Math.ceil(settings.minInterval / 1000) };
}

function found<T>(monitor: T | null): T {
  if (monitor === null) throw new AppError("not_found", "Monitor not found");
  return monitor;
}
