// While a table is empty all its indexes look alike to the server, and a statement that is prepared then keeps what it took for the best of them until the
// table is analysed. The server does that by itself, once a minute: a new database that is put to work at once would spend that minute going through
// all runs to find one. So tables are analysed when they have got their first rows.

import type { Logger } from "../../log/logger.ts";
import type { Runner } from "./postgres-runner.ts";

/** So long after a write. */
const LOOK_MS = 2000;
/** By then the server has done it. */
const MOST_LOOKS = 300;

/** Never analysed, or when there was nothing in it. */
const UNKNOWN = {
  text: `select quote_ident(relname) as name, pg_relation_size(oid) >= 32768 as has_rows from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and reltuples <= 0`,
  values: [],
};

interface Unknown {
  readonly name: string;
  readonly has_rows: boolean;
}

/** Analyses what nothing is known of; tells whether there are tables left of which nothing can be. */
export async function analyseFirstRows(runner: Runner): Promise<boolean> {
  const { rows } = await runner.query(UNKNOWN, null);
  const unknown = rows as Unknown[];
  const names = unknown.flatMap(({ name, has_rows }) => (has_rows ? [name] : []));
  if (names.length > 0)
    await runner.query({ text: `analyze ${names.join(", ")}`, values: [] }, null);
  return unknown.length > names.length;
}

export class FirstStatistics {
  readonly #runner: Runner;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #looks = 0;

  constructor(runner: Runner, log: Logger) {
    this.#runner = runner;
    this.#log = log;
  }

  /** Something was written. */
  onCommit(): void {
    if (this.#timer !== null || this.#looks >= MOST_LOOKS) return;
    this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#looks = MOST_LOOKS;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    this.#looks += 1;
    try {
      if (!(await analyseFirstRows(this.#runner))) this.#looks = MOST_LOOKS;
    } catch (error) {
      this.#log.debug(
        { err: error },
        "New tables could not be analysed; the database does so by itself",
      );
    }
    this.#timer = null;
  }
}
