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

/** From so many times that size on, what is read has to make room. */
const MUCH_TOO_LONG = 8;

export interface DiskOptions {
  readonly log: Logger;
  /** @default 8 MiB */
  readonly longLogBytes?: number;
  /** The log has become very long, because something was being read whenever it was to be started afresh. */
  readonly onCrowded?: () => void;
}

export function syncedToDisk(
  file: string,
  { log, longLogBytes = LONG_LOG_BYTES, onCrowded = () => {} }: DiskOptions,
): Durability {
  const wal = new WalFile(file);
  const checkpointer = new Checkpointer(file);
  let batches = 0;
  let copying: Promise<unknown> | undefined;

  const checkpoint = async (step: CheckpointStep): Promise<CheckpointOutcome> => {
    try {
      return await checkpointer.run(step);
    } catch (error) {
      // Nothing is lost by it: the log is longer, and the next look tries again.
      log.error({ err: error }, "The write-ahead log could not be copied into the database file");
      return "done";
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
      if (batches % BATCHES_BETWEEN_LOOKS !== 0) return;
      const size = await wal.size();
      if (size < longLogBytes) return;
      if (copying === undefined) {
        copying = checkpoint("copy");
        return;
      }
      await copying;
      const outcome = await checkpoint("restart");
      if (outcome === "busy" && size > MUCH_TOO_LONG * longLogBytes) onCrowded();
      copying = undefined;
    },
    async close() {
      await copying;
      await checkpointer.close();
      await wal.close();
    },
  };
}
