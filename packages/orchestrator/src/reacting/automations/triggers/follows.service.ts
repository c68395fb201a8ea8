import type { LoggedEvent } from "@orchestrator/kernel/events";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import { arrange, followKeyOf, mayWait, type Ordered, WAIT_MICROS } from "./follows.rules.ts";
import { canonical } from "./names.rules.ts";
import { readTriggerEvent, type TriggerEvent } from "./trigger-event.rules.ts";
import {
  insertWaiting,
  isAnyWaiting,
  readFollowers,
  readSeen,
  removeWaiting,
} from "./waiting-events.store.ts";

/** An event that follows one that follows one, and so on. */
const MAX_CHAIN = 20;

/**
 * An event with what is needed to put it in order; it is opened only where somebody wants to know
 * more.
 */
interface Candidate extends Ordered {
  readonly logged: LoggedEvent;
  /** Null when no trigger expects it. */
  readonly event: TriggerEvent | null;
  readonly isHeld: boolean;
}

/**
 * The events that triggers are to look at now, in order. What must wait is kept, what has waited
 * for them comes along.
 */
export async function arrangeEvents(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  {
    events,
    isConcerned,
  }: {
    readonly events: readonly LoggedEvent[];
    readonly isConcerned: (event: LoggedEvent) => boolean;
  },
): Promise<TriggerEvent[]> {
  const candidates = events.map((logged) => candidateOf(logged, isConcerned(logged), false));
  const isWaiting = await isAnyWaiting(tx);
  if (!isWaiting && !candidates.some(mayWait)) return concerned(candidates);
  const held = isWaiting ? await readHeld(tx, events) : [];
  const seen = await seenBefore(tx, candidates, events[0]?.position ?? 0);
  const { ready, waiting } = arrange(candidates, { seen, held });
  for (const { isHeld, logged } of ready) if (isHeld) await removeWaiting(tx, logged);
  const give_up = formatMicros(ctx.clock.nowMicros() + WAIT_MICROS);
  for (const { isHeld, logged, follows } of waiting) {
    if (isHeld || follows === null) continue;
    const { workspace_id, id: event_id, ...event } = logged;
    await insertWaiting(tx.inWorkspace(workspace_id), { ...event, event_id, follows, give_up });
  }
  return concerned(ready);
}

const concerned = (candidates: readonly Candidate[]): TriggerEvent[] =>
  candidates.flatMap(({ event, turn }) => {
    if (event === null) return [];
    return [event.turn === turn ? event : { ...event, turn }];
  });

/** What nobody expects need not be opened: others may wait for it, but it waits for nobody. */
function candidateOf(logged: LoggedEvent, isConcerned: boolean, isHeld: boolean): Candidate {
  const event = isConcerned ? readTriggerEvent(logged) : null;
  const { id, workspace_id: workspaceId } = logged;
  const name = canonical(logged.event);
  const follows = event?.follows ?? null;
  const turn = event?.turn ?? parseMicros(logged.received);
  return { id, workspaceId, name, follows, turn, logged, event, isHeld };
}

/** Those that wait for one of the events, those that wait for these, and so on. */
async function readHeld(
  tx: SystemTransaction,
  events: readonly LoggedEvent[],
): Promise<Candidate[]> {
  const held: LoggedEvent[] = [];
  let leaders = events.map(({ workspace_id, id }) => ({ workspace_id, id }));
  for (let depth = 0; leaders.length > 0 && depth < MAX_CHAIN; depth += 1) {
    const followers = await readFollowers(tx, leaders);
    held.push(...followers);
    leaders = followers.map(({ workspace_id, id }) => ({ workspace_id, id }));
  }
  return held.map((logged) => candidateOf(logged, true, true));
}

async function seenBefore(
  tx: SystemTransaction,
  candidates: readonly Candidate[],
  position: number,
): Promise<Set<string>> {
  const leaders = candidates.filter(mayWait).flatMap(({ workspaceId: workspace_id, follows }) => {
    return follows === null ? [] : [{ workspace_id, id: follows }];
  });
  const seen = await readSeen(tx, leaders, position);
  return new Set(seen.map(({ workspace_id: workspaceId, id }) => followKeyOf({ workspaceId, id })));
}
