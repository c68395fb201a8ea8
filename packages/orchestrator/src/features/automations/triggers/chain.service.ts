import { formatMicros, type SystemTransaction, type Transaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../../context.ts";
import type { Chain } from "./chain.rules.ts";
import {
  putCausedIds,
  putChainFirings,
  readChainFirings,
  readChains,
  removeOldChains,
} from "./chain.store.ts";
import { hearsOf, type Match, type WorkingSet } from "./evaluate.rules.ts";
import { keyOf } from "./follows.rules.ts";
import { isEcho } from "./trigger-event.rules.ts";

const MINUTE = 60 * 1_000_000;
/** Triggers have long seen what is older than this. */
const KEPT_MICROS = 24 * 60 * MINUTE;
const PRUNED_EVERY = 10 * MINUTE;
const AT_ONCE = 1000;

/** Writes down what an action has brought about, in its own transaction. */
export async function noteCaused(
  ctx: Pick<OrchestratorContext, "clock">,
  tx: Transaction,
  { ids, depth, root }: Chain & { readonly ids: readonly string[] },
): Promise<void> {
  await putCausedIds(tx, { ids, depth, root, written: ctx.clock.now() });
}

/** Events of automations say so themselves; whether an action has brought another about is asked once it matches. */
export async function chained(tx: SystemTransaction, matches: readonly Match[]): Promise<Match[]> {
  const asked = new Map(
    matches
      .filter(({ event: { name } }) => !isEcho(name))
      .map(({ event }) => [keyOf(event), { workspace_id: event.workspaceId, id: event.id }]),
  );
  const found = await readChains(tx, [...asked.values()]);
  const chains = new Map(
    found.map(({ workspace_id: workspaceId, id, chain }) => [keyOf({ workspaceId, id }), chain]),
  );
  if (chains.size === 0) return [...matches];
  return matches.flatMap((match) => {
    const event = {
      ...match.event,
      chain: match.event.chain ?? chains.get(keyOf(match.event)) ?? null,
    };
    return hearsOf(match.leaf, event) ? [{ ...match, event }] : [];
  });
}

export async function loadChains(
  tx: SystemTransaction,
  set: WorkingSet,
  matches: readonly Match[],
): Promise<void> {
  const roots = new Map(
    matches.flatMap(({ event: { workspaceId: workspace_id, chain } }) =>
      chain === null
        ? []
        : [[`${workspace_id} ${chain.root}`, { workspace_id, root: chain.root }] as const],
    ),
  );
  for (const row of await readChainFirings(tx, [...roots.values()])) {
    const { workspace_id: workspaceId, root, automation_id: id, firings } = row;
    set.loadChain({ root, automation: { id, workspaceId }, firings });
  }
}

export async function writeChains(
  ctx: Pick<OrchestratorContext, "clock">,
  tx: SystemTransaction,
  set: WorkingSet,
): Promise<void> {
  const changed = new Map<string, Parameters<typeof putChainFirings>[1][number][]>();
  for (const { root, automation, firings } of set.changedChains()) {
    const { id: automation_id, workspaceId } = automation;
    const rows = changed.get(workspaceId) ?? [];
    changed.set(workspaceId, rows);
    rows.push({ root, automation_id, firings });
  }
  for (const [workspaceId, rows] of changed)
    await putChainFirings(tx.inWorkspace(workspaceId), rows, ctx.clock.now());
}

/** Every ten minutes; in between it does nothing. */
export function createChainPruning(
  ctx: Pick<OrchestratorContext, "clock" | "db">,
): () => Promise<void> {
  let next = ctx.clock.nowMicros() + PRUNED_EVERY;
  return async () => {
    const now = ctx.clock.nowMicros();
    if (now < next) return;
    const before = formatMicros(now - KEPT_MICROS);
    const removed = await ctx.db.writeSystem((tx) =>
      removeOldChains(tx, { before, limit: AT_ONCE }),
    );
    if (removed < AT_ONCE) next = now + PRUNED_EVERY;
  };
}
