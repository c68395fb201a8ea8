import { formatMicros } from "@orchestrator/kernel/pure";
import type { SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import type { Chain } from "../../firings/chain.rules.ts";
import {
  addChainFirings,
  putCausedIds,
  readChainFirings,
  readChains,
  removeOldChains,
} from "./chain.store.ts";
import type { ChainBudgets } from "./chain-budgets.rules.ts";
import { acceptsCaused, type Match } from "./evaluate.rules.ts";
import { followKeyOf } from "./follows.rules.ts";
import { isEcho, type TriggerEvent } from "./trigger-event.rules.ts";

const MINUTE = 60 * 1_000_000;
/** Triggers have long seen what is older than this. */
const KEPT_MICROS = 24 * 60 * MINUTE;
const PRUNED_EVERY = 10 * MINUTE;
const AT_ONCE = 1000;

/** Writes down what an action has brought about, in its own transaction. */
export async function recordCaused(
  ctx: Pick<OrchestratorContext, "clock">,
  tx: Transaction,
  { ids, depth, root }: Chain & { readonly ids: readonly string[] },
): Promise<void> {
  await putCausedIds(tx, { ids, depth, root, written: ctx.clock.now() });
}

/**
 * Events of automations say so themselves; whether an action has brought another about is asked
 * once it matches.
 */
export async function chained(tx: SystemTransaction, matches: readonly Match[]): Promise<Match[]> {
  const asked = new Map(
    matches
      .filter(({ event: { name } }) => !isEcho(name))
      .map(({ event }) => [followKeyOf(event), { workspace_id: event.workspaceId, id: event.id }]),
  );
  const found = await readChains(tx, [...asked.values()]);
  const chains = new Map(
    found.map(({ workspace_id: workspaceId, id, chain }) => [
      followKeyOf({ workspaceId, id }),
      chain,
    ]),
  );
  if (chains.size === 0) return [...matches];
  return matches.flatMap((match) => {
    const event = {
      ...match.event,
      chain: match.event.chain ?? chains.get(followKeyOf(match.event)) ?? null,
    };
    return acceptsCaused(match.leaf, event) ? [{ ...match, event }] : [];
  });
}

/** Loads the budgets of the chains that the events belong to. */
export async function loadChains(
  tx: SystemTransaction,
  chains: ChainBudgets,
  events: readonly TriggerEvent[],
): Promise<void> {
  const roots = new Map(
    events.flatMap(({ workspaceId: workspace_id, chain }) =>
      chain === null
        ? []
        : [[`${workspace_id} ${chain.root}`, { workspace_id, root: chain.root }] as const],
    ),
  );
  for (const { workspace_id: workspaceId, ...counts } of await readChainFirings(tx, [
    ...roots.values(),
  ]))
    chains.load({ workspaceId, ...counts });
}

export async function writeChains(
  ctx: Pick<OrchestratorContext, "clock">,
  tx: SystemTransaction,
  chains: ChainBudgets,
): Promise<void> {
  const added = new Map<string, Parameters<typeof addChainFirings>[1][number][]>();
  for (const { workspaceId, ...counts } of chains.added()) {
    const rows = added.get(workspaceId) ?? [];
    added.set(workspaceId, rows);
    rows.push(counts);
  }
  for (const [workspaceId, rows] of added)
    await addChainFirings(tx.inWorkspace(workspaceId), rows, ctx.clock.now());
}

interface ChainPruning {
  /** Every ten minutes, and until nothing old is left. */
  readonly isDue: () => boolean;
  /** Deletes a bounded number of old rows when it is due. */
  readonly prune: (tx: SystemTransaction) => Promise<void>;
}

export function createChainPruning({ clock }: Pick<OrchestratorContext, "clock">): ChainPruning {
  let next = clock.nowMicros() + PRUNED_EVERY;
  const isDue = (): boolean => clock.nowMicros() >= next;
  return {
    isDue,
    async prune(tx) {
      if (!isDue()) return;
      const now = clock.nowMicros();
      const before = formatMicros(now - KEPT_MICROS);
      const removed = await removeOldChains(tx, { before, limit: AT_ONCE });
      if (removed < AT_ONCE) next = now + PRUNED_EVERY;
    },
  };
}
