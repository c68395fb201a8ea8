// What stands between a commit and its acknowledgement on SQLite: the disk, off the event loop.

import { AppError } from "../../errors/app-error.ts";
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

/** A log of this size is copied into the database file while writes go on, and started afresh at the next look. */
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
  readonly readers?: { readonly pause: () => void; readonly resume: () => void };
}

const NOBODY = { pause: () => {}, resume: () => {} };

export function syncedToDisk(
  file: string,
  { log, longLogBytes = LONG_LOG_BYTES, readers = NOBODY }: DiskOptions,
): Durability {
  const wal = new WalFile(file);
  const checkpointer = new Checkpointer(file);
  let batches = 0;
  let copying: Promise<unknown> | undefined;
  let isCrowded = false;

  const checkpoint = async (step: CheckpointStep): Promise<CheckpointOutcome> => {
    try {
      return await checkpointer.run(step);
    } catch (error) {
      // Nothing is lost by it: the log is longer, and the next look tries again.
      log.error({ err: error }, "The write-ahead log could not be copied into the database file");
      return { isBusy: false, bytes: 0 };
    }
  };

  return {
    async makeDurable() {
      try {
        await wal.sync();
      } catch (error) {
        throw new AppError(
          "unavailable",
          "The disk refused to keep the last writes. Check the disk, then restart the server",
          { cause: error },
        );
      }
    },
    async tidy() {
      batches += 1;
      if (!isCrowded && batches % BATCHES_BETWEEN_LOOKS !== 0) return;
      if (!isCrowded && (await wal.size()) < longLogBytes) return;
      if (copying === undefined) {
        copying = checkpoint("copy");
        if (!isCrowded) return;
      }
      await copying;
      const { isBusy, bytes } = await checkpoint("restart");
      copying = undefined;
      const wasCrowded = isCrowded;
      isCrowded = isBusy && bytes > MUCH_TOO_LONG * longLogBytes;
      if (isCrowded) readers.pause();
      else if (wasCrowded) readers.resume();
    },
    async close() {
      await copying;
      await checkpointer.close();
      await wal.close();
    },
  };
}
