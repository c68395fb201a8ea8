import type { LoggedEvent } from "@orchestrator/kernel/events";
import { yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { EventHandler } from "../automations/triggers/evaluation-batch.service.ts";
import type { Matcher } from "../automations/triggers/matching.rules.ts";
import { canonical } from "../automations/triggers/names.rules.ts";
import {
  readTriggerEvent,
  type TriggerEvent,
} from "../automations/triggers/trigger-event.rules.ts";
import {
  endWaitsWith,
  isAnyWaitOpen,
  listExpectedNames,
  listOpenWaits,
  type OpenWait,
} from "./open-waits.store.ts";
import {
  ANY_NAME,
  isAwaited,
  lookupsOf,
  matcherOfWait,
  type WaitLookup,
} from "./wait-pattern.rules.ts";

/** Runs are woken when waits have ended. */
export const WAITS_TOPIC = "run-waits";

type Candidate = OpenWait & { readonly matcher: Matcher };

/** So many waits are compared with the events of one transaction, for which other writes wait. */
const COMPARED_AT_ONCE = 10_000;
/** Fewer waits of a workspace need not be counted. */
const FEW_WAITS = 50;

/** Ends waits, and takes fewer events at once of workspaces where many waits had to be compared. */
export function createWaitEnder(): EventHandler {
  const counts = new Map<string, number>();
  return {
    takes(events) {
      let compared = 0;
      const tooMany = events.findIndex(({ workspace_id }) => {
        compared += counts.get(workspace_id) ?? 0;
        return compared > COMPARED_AT_ONCE;
      });
      return tooMany === -1 ? events.length : Math.max(1, tooMany);
    },
    handle: (ctx, tx, events) => endWaits(ctx, tx, { logged: events, counts }),
  };
}

/**
 * Ends the waits that these events of the log were waited for, in the transaction that moves the
 * reader's cursor: each event is looked at once, and each wait ends with the first that fits.
 */
async function endWaits(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  {
    logged,
    counts,
  }: { readonly logged: readonly LoggedEvent[]; readonly counts: Map<string, number> },
): Promise<void> {
  if (!(await isAnyWaitOpen(tx))) return;
  const events = await awaitedOf(tx, logged);
  const open = await candidatesOf(tx, events);
  for (const { workspaceId } of events) counts.delete(workspaceId);
  for (const waits of open.values())
    for (const { workspace_id } of waits)
      counts.set(workspace_id, (counts.get(workspace_id) ?? 0) + 1);
  for (const [workspaceId, count] of counts) if (count < FEW_WAITS) counts.delete(workspaceId);
  if (open.size === 0) return;
  const turn = yieldingBetweenSteps();
  const now = ctx.clock.now();
  for (const event of events) {
    const ended: Candidate[] = [];
    for (const lookup of lookupsOf(event)) {
      for (const wait of open.get(placeOf(event.workspaceId, lookup)) ?? []) {
        if (isEndedBy(wait, event)) ended.push(wait);
        await turn();
      }
    }
    if (ended.length === 0) continue;
    for (const wait of ended) open.get(placeOf(wait.workspace_id, wait))?.delete(wait);
    const { id: event_id, body } = event;
    const awaited = { event_id, created: now, body };
    await endWaitsWith(tx.inWorkspace(event.workspaceId), ended, awaited);
    tx.notify(WAITS_TOPIC);
  }
}

/** Only events whose names are waited for are read in full. */
async function awaitedOf(
  tx: SystemTransaction,
  logged: readonly LoggedEvent[],
): Promise<TriggerEvent[]> {
  const named = logged.map((event) => ({ event, name: canonical(event.event) }));
  const names = named.flatMap(({ event: { workspace_id }, name }) => [
    [`${workspace_id} ${name}`, { workspace_id, name }] as const,
    [`${workspace_id} ${ANY_NAME}`, { workspace_id, name: ANY_NAME }] as const,
  ]);
  const found = await listExpectedNames(tx, [...new Map(names).values()]);
  const expected = new Set(found.map(({ workspace_id, name }) => `${workspace_id} ${name}`));
  return named
    .filter(
      ({ event: { workspace_id }, name }) =>
        expected.has(`${workspace_id} ${name}`) || expected.has(`${workspace_id} ${ANY_NAME}`),
    )
    .map(({ event }) => readTriggerEvent(event));
}

async function candidatesOf(
  tx: SystemTransaction,
  events: readonly TriggerEvent[],
): Promise<Map<string, Set<Candidate>>> {
  const lookups = events.flatMap((event) =>
    lookupsOf(event).map((lookup) => ({ workspace_id: event.workspaceId, ...lookup })),
  );
  const each = new Map(lookups.map((lookup) => [placeOf(lookup.workspace_id, lookup), lookup]));
  const candidates = new Map<string, Set<Candidate>>();
  for (const wait of await listOpenWaits(tx, [...each.values()])) {
    const place = placeOf(wait.workspace_id, wait);
    const there = candidates.get(place) ?? new Set();
    candidates.set(place, there.add({ ...wait, matcher: matcherOfWait(wait.event, wait.pattern) }));
  }
  return candidates;
}

const placeOf = (workspaceId: string, { lookup_name, anchor }: WaitLookup): string =>
  `${workspaceId} ${anchor} ${lookup_name}`;

const isEndedBy = ({ after_position, expires, matcher }: Candidate, event: TriggerEvent): boolean =>
  event.position > after_position && event.received <= expires && isAwaited(matcher, event);
