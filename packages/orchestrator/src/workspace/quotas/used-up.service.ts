// What acts where nobody asks, in a workspace whose quota is used up: it makes nothing, says so
// once, and looks again later.

import { AppError, parseMicros } from "@orchestrator/kernel/pure";
import type { Quotas, Scope, UsedUp } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { idOfText } from "../../events/id-of-text.ts";
import { type ServiceName, serviceActor } from "../../service-identities.rules.ts";

/**
 * Somebody may delete something or raise the quota; more often than this nobody looks whether they
 * have. A look that comes late is still within the minute in which a schedule has missed nothing.
 */
const PAUSE_MICROS = 45_000_000;

/** Throws what a request would be refused with. */
export function assertRunAllowed({ quotas }: OrchestratorContext, { workspaceId }: Scope): void {
  const { usedUp } = quotas.allowance(workspaceId, "runs");
  if (usedUp !== null) throw new AppError("forbidden", usedUp.words);
}

/** When to look again whether there is room. */
export function nextQuotaCheckAt(
  { quotas, clock }: OrchestratorContext,
  workspaceId: string,
): number {
  const now = clock.nowMicros();
  const resets = quotas.allowance(workspaceId, "runs").usedUp?.resets ?? null;
  const pause = now + PAUSE_MICROS;
  return resets === null ? pause : Math.min(pause, Math.max(now + 1, parseMicros(resets)));
}

/** What this process has logged of each workspace last. */
const logged = new WeakMap<Quotas, Map<string, string>>();

interface Finding {
  readonly by: ServiceName;
  readonly usedUp: UsedUp;
}

/**
 * Tells that a service of the workspace waits for room: once for each quota and day in the log, and
 * by one event however many processes find it out.
 */
export async function publishUsedUpQuota(
  ctx: OrchestratorContext,
  workspaceId: string,
  by: ServiceName,
): Promise<void> {
  const { usedUp } = ctx.quotas.allowance(workspaceId, "runs");
  if (usedUp === null) return;
  const window = windowOf(by, usedUp, ctx.clock.now());
  if (logged.get(ctx.quotas)?.get(`${workspaceId} ${by}`) === window) return;
  await ctx.db.write(workspaceId, (tx) => emitUsedUp(ctx, tx, { by, usedUp }));
  logUsedUp(ctx, workspaceId, { by, usedUp, consequence: "no more runs are made for it" });
}

/** The event alone, in the transaction that has found it out. */
export async function emitUsedUp(
  ctx: OrchestratorContext,
  tx: Transaction,
  { by, usedUp }: Finding,
): Promise<void> {
  const { workspaceId } = tx;
  const now = ctx.clock.now();
  const window = windowOf(by, usedUp, now);
  await emitResourceEvent(ctx, tx, usedUpEvent({ workspaceId, by, usedUp, window, now }));
}

export function logUsedUp(
  { log, quotas, clock }: OrchestratorContext,
  workspaceId: string,
  { by, usedUp, consequence }: Finding & { readonly consequence: string },
): void {
  const known = logged.get(quotas) ?? new Map<string, string>();
  logged.set(quotas, known);
  const window = windowOf(by, usedUp, clock.now());
  if (known.get(`${workspaceId} ${by}`) === window) return;
  known.set(`${workspaceId} ${by}`, window);
  const { quota, limit, resets } = usedUp;
  log.warn(
    { workspace: workspaceId, service: by, quota, limit, resets },
    `A workspace has used a quota up: ${consequence}`,
  );
}

/** The same in all processes, for a day. */
const windowOf = (by: ServiceName, { quota, limit }: UsedUp, now: string): string =>
  `${by} ${quota} ${limit} ${now.slice(0, 10)}`;

interface Telling {
  readonly workspaceId: string;
  readonly by: ServiceName;
  readonly usedUp: UsedUp;
  readonly window: string;
  readonly now: string;
}

const usedUpEvent = ({ workspaceId, by, usedUp, window, now }: Telling) => ({
  eventId: idOfText(`${workspaceId} ${window}`),
  kind: "workspace",
  verb: "quota-used-up",
  id: workspaceId,
  name: workspaceId,
  occurred: now,
  payload: JSON.stringify({
    service: by,
    quota: usedUp.quota,
    limit: usedUp.limit,
    used: usedUp.used,
    resets: usedUp.resets,
    message: usedUp.words,
  }),
  related: [serviceActor(by)],
});
