// What stands between a commit and its acknowledgement on SQLite: the disk, off the event loop.

import { StorageAwayError } from "../../errors/storage-away.ts";
import type { Logger } from "../../log/logger.ts";
import { Checkpointer, type CheckpointOutcome, type CheckpointStep } from "./checkpointer.ts";
import { WalFile } from "./wal-file.ts";

export interface Durability {
  /** Resolves when everything committed before the call survives a power cut. */
  makeDurable(): Promise<void>;
  /** Called between two batches: keeps the write-ahead log short. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** For tests, whose files nobody misses. */
export const notDurable: Durability = {
  makeDurable: async () => {},
  tidy: async () => {},
  close: async () => {},
};

/**
 * A log of this size is copied into the database file while writes go on, and started afresh at the
 * next look.
 */
const LONG_LOG_BYTES = 8 * 1024 * 1024;
/** The size is looked at once in so many batches. */
const BATCHES_BETWEEN_LOOKS = 32;

/** From so many times that size on, who reads has to make room. */
const MUCH_TOO_LONG = 8;

export interface DiskOptions {
  readonly log: Logger;
  /** @default 8 MiB */
  readonly longLogBytes?: number;
  /** Who reads for so long that the log can never be started afresh. */
  readonly readers?: LongReaders;
}

export interface LongReaders {
  readonly isReading: boolean;
  readonly pause: () => void;
  readonly resume: () => void;
}

const NOBODY: LongReaders = { isReading: false, pause: () => {}, resume: () => {} };

export function syncedToDisk(
  file: string,
  { log, longLogBytes = LONG_LOG_BYTES, readers = NOBODY }: DiskOptions,
): Durability {
  const wal = new WalFile(file);
  const checkpointer = new Checkpointer(file);
  let batches = 0;
  let copying: Promise<void> | undefined;
  /** What the last copy has left over; null when none was made since the log was started afresh. */
  let left: number | null = null;
  let isCrowded = false;

  /**
   * Null when it failed: nothing is lost by it, the log is longer, and the next look tries again.
   */
  const checkpoint = async (step: CheckpointStep): Promise<CheckpointOutcome | null> => {
    try {
      return await checkpointer.run(step);
    } catch (error) {
      log.error({ err: error }, "The write-ahead log could not be copied into the database file");
      return null;
    }
  };
  /** Who reads makes room only where that helps: something else may be reading the file. */
  const makeRoom = ({ bytes }: CheckpointOutcome, isHeldUp: boolean): void => {
    const wasCrowded = isCrowded;
    isCrowded = isHeldUp && bytes > MUCH_TOO_LONG * longLogBytes && readers.isReading;
    if (isCrowded) readers.pause();
    else if (wasCrowded) readers.resume();
  };
  const copy = async (): Promise<void> => {
    const outcome = await checkpoint("copy");
    copying = undefined;
    left = outcome?.bytesLeft ?? null;
    // What is being read keeps what was written since from being copied.
    if (outcome !== null && outcome.bytesLeft > longLogBytes) makeRoom(outcome, true);
  };
  const restart = async (): Promise<void> => {
    const outcome = await checkpoint("restart");
    left = null;
    if (outcome !== null) makeRoom(outcome, outcome.isBusy);
  };

  const look = async (): Promise<void> => {
    batches += 1;
    if (!isCrowded && batches % BATCHES_BETWEEN_LOOKS !== 0) return;
    if (copying === undefined && !isCrowded && (await wal.size()) < longLogBytes) return;
    // Who writes faster than can be copied has to wait for it; where who reads holds it up, that
    // would help nobody.
    if (copying !== undefined && isCrowded) return;
    await copying;
    // The writer stands still while the log is started afresh: most of it has to be copied by then.
    if (left === null || left > longLogBytes) copying = copy();
    else await restart();
  };

  return {
    async makeDurable() {
      try {
        await wal.sync();
      } catch (error) {
        throw new StorageAwayError(
          "The disk refused to keep the last writes. Check the disk, then restart the server",
          error,
        );
      }
    },
    async tidy() {
      try {
        await look();
      } catch (error) {
        log.error({ err: error }, "The write-ahead log could not be looked at");
      }
    },
    async close() {
      await copying;
      await checkpointer.close();
      await wal.close();
    },
  };
}
