// What stands between a commit and its acknowledgement on SQLite: the disk, off the event loop.

import { AppError } from "../../errors/app-error.ts";
import type { Logger } from "../../log/logger.ts";
import { Checkpointer } from "./checkpointer.ts";
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

export function syncedToDisk(file: string, log: Logger): Durability {
  const wal = new WalFile(file);
  const checkpointer = new Checkpointer(file);
  let batches = 0;
  let copying: Promise<void> | undefined;

  const checkpoint = async (step: "copy" | "restart"): Promise<void> => {
    try {
      await checkpointer.run(step);
    } catch (error) {
      // Nothing is lost by it: the log is longer, and the next look tries again.
      log.error({ err: error }, "The write-ahead log could not be copied into the database file");
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
      if (size < LONG_LOG_BYTES) return;
      if (copying === undefined) {
        copying = checkpoint("copy");
        return;
      }
      await copying;
      await checkpoint("restart");
      copying = undefined;
    },
    async close() {
      await copying;
      await checkpointer.close();
      await wal.close();
    },
  };
}
