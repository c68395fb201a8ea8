import { sleep } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Database } from "../storage/database.ts";
import { LEASES_TOPIC, releaseLeases, takeLeases } from "./leases.ts";

/** Takes and keeps the leases this replica wants, and knows at any moment which it has. */
export interface LeaseKeeper {
  readonly holder: string;
  readonly want: (name: string, onTaken: () => void) => void;
  readonly isHeld: (name: string) => boolean;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

export interface LeaseKeeperOptions {
  readonly db: Database;
  readonly holder: string;
  readonly log: Logger;
  /** A dead holder is replaced after at most this long. */
  readonly ttlSeconds: number;
}

/**
 * Held here means: taken or renewed less than the time to live ago, counted from before the
 * question was asked. A replica that was stopped or cut off therefore knows that its leases are
 * gone before anyone else can take them.
 */
export function createLeaseKeeper({
  db,
  holder,
  log,
  ttlSeconds,
}: LeaseKeeperOptions): LeaseKeeper {
  const wanted = new Map<string, { onTaken: () => void; heldUntil: number }>();
  const stopping = new AbortController();
  let wake = new AbortController();
  let unsubscribe = (): void => {};
  let running: Promise<void> = Promise.resolve();

  const isHeld = (name: string): boolean => (wanted.get(name)?.heldUntil ?? 0) > performance.now();

  const renewAll = async (): Promise<void> => {
    const askedAt = performance.now();
    const names = [...wanted.keys()];
    const taken = await db.writeSystem((tx) =>
      takeLeases(tx, { names, holder, ttl_seconds: ttlSeconds }),
    );
    for (const [name, lease] of wanted) {
      const isTaken = taken.has(name);
      const wasHeld = isHeld(name);
      lease.heldUntil = isTaken ? askedAt + ttlSeconds * 1000 : 0;
      if (isTaken && !wasHeld) {
        log.info({ lease: name }, "Lease taken");
        lease.onTaken();
      }
    }
  };

  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      await renewAll().catch((error: unknown) =>
        log.warn({ err: error }, "Leases could not be renewed"),
      );
      await sleep((ttlSeconds * 1000) / 3, wake.signal);
    }
  };

  return {
    holder,
    want: (name, onTaken) => wanted.set(name, { onTaken, heldUntil: 0 }),
    isHeld,
    start() {
      unsubscribe = db.wakeUps.on(LEASES_TOPIC, () => wake.abort());
      running = keep();
    },
    async stop() {
      unsubscribe();
      stopping.abort();
      wake.abort();
      await running;
      for (const lease of wanted.values()) lease.heldUntil = 0;
      await releaseLeases(db, holder).catch(() => {
        // The leases then run out by themselves.
      });
    },
  };
}

/** On an engine that only one process may use, every lease is held. */
export function soleHolder(holder: string): LeaseKeeper {
  const callbacks: (() => void)[] = [];
  return {
    holder,
    want: (_name, onTaken) => callbacks.push(onTaken),
    isHeld: () => true,
    start() {
      for (const onTaken of callbacks) onTaken();
    },
    stop: () => Promise.resolve(),
  };
}
