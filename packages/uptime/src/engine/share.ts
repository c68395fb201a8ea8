import { sleep } from "@orchestrator/kernel/pure";
import type { EngineContext } from "./engine-context.ts";
import { ENGINE_TOPIC, endDeadSessions, isOnlyEngine } from "./lease.ts";
import type { LeasedMonitors } from "./leased-monitors.ts";
import {
  listLeased,
  readMonitors,
  readShares,
  recordDueTimes,
  releaseMonitors,
  takeMonitors,
} from "./shares.store.ts";

/** So many monitors are read at once. */
const PAGE = 200;

/** Which of the monitors in the database are this process's own, and how they are now. */
export class Share {
  readonly #ctx: EngineContext;
  readonly #held: LeasedMonitors;

  constructor(ctx: EngineContext, held: LeasedMonitors) {
    this.#ctx = ctx;
    this.#held = held;
  }

  /** Takes what nobody has up to a fair part of all, and gives back what is beyond it. */
  async take(holder: string): Promise<void> {
    const { db, runs } = this.#ctx;
    let shares = await readShares(db, holder);
    if (shares.sessions > 1 && (await endDeadSessions(this.#ctx, holder)))
      shares = await readShares(db, holder);
    const { sessions, all, own } = shares;
    const fair = isOnlyEngine(this.#ctx) ? all : Math.ceil(all / Math.max(1, sessions));
    if (own < Math.min(fair, all))
      await db.writeSystem((tx) => takeMonitors(tx, { holder, limit: fair - own }));
    if (own > fair) {
      const idle = this.#held.ids().filter((id) => runs.find(id) === undefined);
      await this.#release(holder, idle.slice(0, own - fair));
    }
  }

  /**
   * Reads what is new or was changed, and forgets what is gone. Ends early when it is held under
   * that name no longer.
   */
  async readChanges(holder: string, isHeldOn: () => Promise<boolean>): Promise<void> {
    const { db, runs } = this.#ctx;
    const held = this.#held;
    const own = await listLeased(db, holder);
    const ids = new Set(own.map(({ id }) => id));
    for (const id of held.ids()) if (!ids.has(id)) held.forget(id);
    for (const id of runs.heldBack.keys()) if (!ids.has(id)) runs.heldBack.delete(id);
    const paused = own.filter(({ enabled }) => !enabled).map(({ id }) => id);
    // Not run again from now on; given back when the run under way has ended.
    for (const id of paused) held.forget(id);
    const idle = paused.filter((id) => runs.find(id) === undefined);
    if (idle.length > 0) await this.#release(holder, idle);
    const changed = own.filter((row) => row.enabled && !held.isCurrent(row));
    for (let i = 0; i < changed.length; i += PAGE) {
      const page = changed.slice(i, i + PAGE).map(({ id }) => id);
      const unplanned = held.adopt(await readMonitors(db, page));
      if (unplanned.length > 0) await db.writeSystem((tx) => recordDueTimes(tx, unplanned));
      if (!(await isHeldOn())) return;
      // Queries that are answered within this process hold up the checks.
      if (!db.dialect.isRemote && i + PAGE < changed.length) await sleep(0);
    }
  }

  async #release(holder: string, ids: readonly string[]): Promise<void> {
    const { db, runs } = this.#ctx;
    // Nothing of it is started while it is given away.
    for (const id of ids) this.#held.forget(id);
    await runs.inTurn(ids, async () => {
      // What somebody has begun to check by hand meanwhile is kept until the next look.
      const idle = ids.filter((id) => runs.find(id) === undefined);
      await db.writeSystem(async (tx) => {
        await releaseMonitors(tx, holder, idle);
        tx.notify(ENGINE_TOPIC);
      });
    });
  }
}
