// Limits on how many task runs with a tag run at once.

import type { ReportSession } from "../report/session.ts";
import { nowMs } from "../time.ts";
import { type SlotOwner, takeSlots } from "./slots.ts";

/** For so long tags without a limit are not asked for again. */
const UNLIMITED_MS = 5000;
const LEASE_SECONDS = 60;

const unlimitedUntil = new WeakMap<ReportSession, Map<string, number>>();

export interface TagSlotRequest {
  readonly session: ReportSession;
  readonly tags: readonly string[];
  readonly holder: SlotOwner;
  readonly signal: AbortSignal;
}

/** Does the work while a slot of each tag's limit is held. */
export async function withTagSlots<Value>(
  { session, tags, holder, signal }: TagSlotRequest,
  work: () => Promise<Value>,
): Promise<Value> {
  const unlimited = unlimitedUntil.get(session) ?? new Map<string, number>();
  unlimitedUntil.set(session, unlimited);
  const key = tags.toSorted().join("\n");
  if ((unlimited.get(key) ?? 0) > nowMs()) return work();
  const names = tags.map((tag) => `tag:${tag}`);
  const slots = await takeSlots(session, {
    names,
    slots: 1,
    leaseSeconds: LEASE_SECONDS,
    holder,
    signal,
  });
  if (slots.limited.length === 0) unlimited.set(key, nowMs() + UNLIMITED_MS);
  try {
    return await work();
  } finally {
    await slots.release();
  }
}
