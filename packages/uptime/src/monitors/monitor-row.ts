// From what people want of a monitor to its row, and back: secrets are sealed apart, masks stand in
// their places.

import { randomBytes } from "node:crypto";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { type Keyring, KeyringError } from "@orchestrator/kernel/secrets";
import { type CheckConfig, PLAIN } from "../checks/registry.ts";
import type { UptimeContext } from "../context.ts";
import type { MonitorConfigRow } from "../db/tables/monitors.table.ts";
import { invalid, type MonitorConfig } from "./monitor-input.rules.ts";
import { originOfUrl, URL_PLACE } from "./monitor-url.rules.ts";
import {
  type Concealed,
  conceal,
  isMasked,
  type PipelineSecrets,
  type Probed,
} from "./pipeline-secrets.rules.ts";
import { openSecrets, sealSecrets } from "./sealed-secrets.ts";

export const MONITOR_DEFAULTS: Omit<MonitorConfig, "name" | "url"> = {
  pipeline: PLAIN,
  interval: 60,
  schedule: null,
  timezone: "UTC",
  enabled: true,
  tags: [],
  confirm_down: 1,
  confirm_up: 1,
};

/** What it takes to write a monitor. */
export type Writing = Pick<UptimeContext, "db" | "clock" | "ids" | "keyring" | "settings">;

type Kept = Pick<MonitorConfigRow, "id" | "created_at" | "updated_at" | "next_run"> &
  Partial<Pick<MonitorConfigRow, "url" | "pipeline" | "secrets" | "sealed_with">>;

/** The row of a draft. */
export function rowOf(ctx: Writing, kept: Kept, draft: MonitorConfig): MonitorConfigRow {
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

/**
 * Where a monitor looks and how, with masks, and its secrets. A mask in it stands for the secret of
 * the row as it was.
 */
function sealedParts(
  ctx: Writing,
  kept: Kept,
  { url, pipeline }: Probed,
): Pick<MonitorConfigRow, "url" | "pipeline" | "secrets" | "sealed_with"> {
  const { secrets: sealed = null, sealed_with = null } = kept;
  const text = writeJson(pipeline);
  // Masks and all: nothing was changed. What an earlier version did not seal has a secret in it
  // still.
  if (kept.url === url && kept.pipeline === text && isMasked({ url, pipeline }))
    return { url, pipeline: text, secrets: sealed, sealed_with };
  const known = keptSecrets(ctx, kept);
  const isElsewhere = kept.url !== undefined && originOfUrl(kept.url) !== originOfUrl(url);
  const probed = { url, pipeline: withTokens(pipeline, kept.pipeline) };
  const before = kept.pipeline === undefined || isElsewhere ? [] : checksIn(kept.pipeline);
  const concealed = conceal(probed, {
    pipeline: before,
    secrets: isElsewhere ? () => ({}) : known,
  });
  const { shown, secrets } = concealed;
  refuseMasks(concealed, isElsewhere);
  const parts = { url: shown.url, pipeline: writeJson(shown.pipeline) };
  // Sealed anew they would look like others.
  if (sealed !== null && sameSecrets(secrets, known))
    return { ...parts, secrets: sealed, sealed_with };
  return { ...parts, ...sealSecrets(ctx.keyring, kept.id, secrets) };
}

/** Opened only when they are asked for: what replaces them all needs no key that has been lost. */
function keptSecrets({ keyring }: Writing, { id, secrets = null }: Kept): () => PipelineSecrets {
  let opened: PipelineSecrets | undefined;
  return () => {
    opened ??= openedOrNone(keyring, { id, secrets });
    return opened;
  };
}

function sameSecrets(secrets: PipelineSecrets, known: () => PipelineSecrets): boolean {
  const places = Object.keys(secrets);
  if (places.length === 0) return false;
  const before = known();
  return (
    places.length === Object.keys(before).length &&
    places.every((place) => before[place] === secrets[place])
  );
}

/** What no key opens any more is as good as not kept: it has to be given again. */
export function openedOrNone(
  keyring: Keyring,
  sealed: Parameters<typeof openSecrets>[1],
): PipelineSecrets {
  try {
    return openSecrets(keyring, sealed);
  } catch (error) {
    if (error instanceof KeyringError) return {};
    throw error;
  }
}

function refuseMasks({ missing, unclear }: Concealed, isElsewhere: boolean): void {
  if (unclear.length > 0)
    throw invalid(
      "pipeline",
      `it cannot be told which of several checks these secrets are kept for: give them again (${unclear.join(", ")})`,
    );
  if (missing.length === 0) return;
  const places = missing.join(", ");
  throw isElsewhere
    ? invalid(
        "url",
        `secrets are kept for the host they were given for, and url leads elsewhere: give them again (${places})`,
      )
    : invalid(
        fieldOf(missing),
        `there is no secret to keep where one is left out: give it (${places})`,
      );
}

const fieldOf = (places: readonly string[]): string =>
  places.every((place) => place.split("/", 1)[0] === URL_PLACE) ? "url" : "pipeline";

const TOKEN_BYTES = 24;

/** A heartbeat without a token keeps the one it had, or is given one. */
function withTokens(pipeline: readonly CheckConfig[], before?: string): readonly CheckConfig[] {
  if (!pipeline.some(isTokenless)) return pipeline;
  const earlier = before === undefined ? [] : checksIn(before);
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
const BESIDE_THE_PLAN = new Set(["name", "tags", "confirm_down", "confirm_up", "parents"]);

/**
 * When a monitor is due after a change of these fields; null where that has to be worked out anew.
 */
export function nextRun({ next_run }: MonitorConfigRow, changed: readonly string[]): string | null {
  return changed.every((field) => BESIDE_THE_PLAN.has(field)) ? next_run : null;
}

export function shownOf({ url, pipeline }: Pick<MonitorConfigRow, "url" | "pipeline">) {
  return { url, pipeline: checksIn(pipeline) };
}

function checksIn(pipeline: string): readonly CheckConfig[] {
  return readJson(pipeline) as readonly CheckConfig[];
}

export function monitorConfigOf(row: MonitorConfigRow): MonitorConfig {
  const { name, interval, schedule, timezone, enabled, confirm_down, confirm_up } = row;
  const tags = JSON.parse(row.tags) as readonly string[];
  const plan = { interval, schedule, timezone, enabled, confirm_down, confirm_up };
  return { name, ...plan, tags, ...shownOf(row) };
}

export function limitsOf({ settings }: Writing) {
  return { minIntervalSeconds: Math.ceil(settings.minInterval / 1000) };
}
