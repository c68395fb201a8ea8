import type { Query } from "../statement.ts";
import { ReaderThreads } from "./reader-threads.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** To go through fewer rows than this takes no longer than to build a long page of them. */
const MANY_ROWS = 10_000;
/** How long the number of rows is taken for what it was. */
const KNOWN_MS = 10_000;

export interface LongReadsOptions {
  readonly file: string;
  /** @default 10,000 */
  readonly manyRows?: number | undefined;
  /** In a pause, nothing is being read any more. */
  readonly onDrained: () => void;
}

/**
 * Which queries are asked on threads of their own: those that may have to go through a table that
 * has many rows by now.
 */
export class LongReads {
  readonly #connection: SqliteConnection;
  readonly #threads: ReaderThreads;
  readonly #manyRows: number;
  readonly #sizes = new Map<string, { readonly isLarge: boolean; readonly until: number }>();

  constructor(
    connection: SqliteConnection,
    { file, manyRows = MANY_ROWS, onDrained }: LongReadsOptions,
  ) {
    this.#connection = connection;
    this.#threads = new ReaderThreads(file, { onDrained });
    this.#manyRows = manyRows;
  }

  isLong({ sweeps = [] }: Query): boolean {
    return sweeps.some((table) => this.#isLarge(table));
  }

  get<R>(query: Query): Promise<R | undefined> {
    return this.#threads.get<R>(query);
  }

  pause(): void {
    this.#threads.pause();
  }

  get isReading(): boolean {
    return this.#threads.isReading;
  }

  resume(): void {
    this.#threads.resume();
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  /**
   * By the number of its last row, which is found at once; rows that were deleted count as well.
   */
  #isLarge(table: string): boolean {
    const now = performance.now();
    const known = this.#sizes.get(table);
    if (known !== undefined && now < known.until) return known.isLarge;
    const sql = `select max(rowid) as last from "${table}"`;
    const last = this.#connection.select<{ last: number | null }>({ sql, values: [] })?.last ?? 0;
    const isLarge = last >= this.#manyRows;
    this.#sizes.set(table, { isLarge, until: now + KNOWN_MS });
    return isLarge;
  }
}
