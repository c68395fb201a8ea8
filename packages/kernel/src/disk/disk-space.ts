import { statfs } from "node:fs/promises";
import type { Logger } from "pino";
import { AppError } from "../errors/app-error.ts";

/** What is known of the disk that the server writes to. Asking costs nothing. */
export interface DiskSpace {
  /** For the operator, while the disk is short of space; null otherwise. */
  readonly warning: () => string | null;
  /** The refusal of what can be done without, while hardly any space is left; null otherwise. */
  readonly bulkProblem: () => AppError | null;
}

/** Where the disk is somebody else's, such as that of a database server. */
export const ampleDisk: DiskSpace = { warning: () => null, bulkProblem: () => null };

export interface DiskWatchParts {
  /** A folder on the disk. */
  readonly folder: string;
  /** Percent of the disk that are free; 0 for never. */
  readonly warnBelow: number;
  readonly refuseBelow: number;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly readFree?: (folder: string) => Promise<number>;
}

type Level = "ample" | "low" | "short";

/** A disk at the edge would be called short and ample again and again. */
const BACK_PERCENT = 1;

/**
 * Measures the space of a disk, and says so in the log once where it runs short and once when it is
 * there again.
 */
export class DiskWatch implements DiskSpace {
  readonly #parts: DiskWatchParts;
  readonly #readFree: (folder: string) => Promise<number>;
  #level: Level = "ample";
  #free = 100;

  constructor(parts: DiskWatchParts) {
    this.#parts = parts;
    this.#readFree = parts.readFree ?? readFreePercent;
  }

  async measure(): Promise<void> {
    const { folder, log } = this.#parts;
    this.#free = await this.#readFree(folder);
    const level = this.#levelNow();
    if (level === this.#level) return;
    this.#level = level;
    if (level === "short") log.error({ folder }, this.#words());
    else if (level === "low") log.warn({ folder }, this.#words());
    else log.warn({ folder }, "The disk of the data has enough space again");
  }

  warning(): string | null {
    return this.#level === "ample" ? null : this.#words();
  }

  bulkProblem(): AppError | null {
    return this.#level === "short" ? new AppError("insufficient_storage", this.#words()) : null;
  }

  #levelNow(): Level {
    const { warnBelow, refuseBelow } = this.#parts;
    const back = (isAt: boolean): number => (isAt ? BACK_PERCENT : 0);
    if (this.#free < refuseBelow + back(this.#level === "short" && refuseBelow > 0)) return "short";
    return this.#free < warnBelow + back(this.#level !== "ample" && warnBelow > 0)
      ? "low"
      : "ample";
  }

  #words(): string {
    const free = `Of the disk of the data only ${this.#free.toFixed(1)} % are free`;
    return this.#level === "short"
      ? `${free}: events, logs and artifacts are refused until there is more, and state changes still go through; free some space`
      : `${free}: free some space, or events, logs and artifacts will be refused below ${this.#parts.refuseBelow} %`;
  }
}

/** What an ordinary user may still write: file systems keep a part for the administrator. */
async function readFreePercent(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder);
  return blocks === 0 ? 100 : (bavail / blocks) * 100;
}
