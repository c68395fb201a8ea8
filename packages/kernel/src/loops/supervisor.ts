import type { LeaseKeeper } from "../leases/lease-keeper.ts";
import type { Logger } from "../log/logger.ts";
import type { WakeUps } from "../storage/wake-ups.ts";
import { Loop, type LoopDefinition, type LoopHealth, type LoopObserver } from "./loop.ts";

export interface SupervisorOptions {
  readonly leases: LeaseKeeper;
  readonly nudges: WakeUps;
  readonly log: Logger;
  readonly observer: LoopObserver;
  /** @default Math.random */
  readonly random?: () => number;
}

export interface Supervisor {
  readonly start: () => void;
  /** Lets passes under way finish, last started first, then gives the leases back. */
  readonly stop: () => Promise<void>;
  readonly health: () => LoopHealth[];
}

/** Starts a written list of loops in order, stops it in reverse, and tells how each is doing. */
export function createSupervisor(
  definitions: readonly LoopDefinition[],
  { leases, nudges, log, observer, random = Math.random }: SupervisorOptions,
): Supervisor {
  const unsubscribe: (() => void)[] = [];
  const loops = definitions.map((definition) => {
    const { name, runs, wakeOn = [] } = definition;
    const leaseName = `loop:${name}`;
    const mayRun = runs === "each" ? () => true : () => leases.isHeld(leaseName);
    const loop = new Loop(definition, { log, observer, mayRun, random });
    if (runs === "one") leases.want(leaseName, () => loop.nudge());
    for (const topic of wakeOn) unsubscribe.push(nudges.on(topic, () => loop.nudge()));
    return loop;
  });

  return {
    start() {
      leases.start();
      for (const loop of loops) loop.start();
    },
    async stop() {
      for (const off of unsubscribe) off();
      for (const loop of loops.toReversed()) await loop.stop();
      await leases.stop();
    },
    health: () => loops.map((loop) => loop.health()),
  };
}
