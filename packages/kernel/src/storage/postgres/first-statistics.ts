// While a table is empty all its indexes look alike to the server, and a statement that is prepared
// then keeps what it took for the best of them until the table is analysed. The server does that by
// itself, once a minute: a new database that is put to work at once would spend that minute going
// through all runs to find one. So tables are analysed when they have got their first rows.

import type { Logger } from "../../log/logger.ts";
import type { PostgresRunner } from "./postgres-runner.ts";

/** So long after a write. */
const LOOK_MS = 2000;
/** By then the server has done it. */
const MOST_LOOKS = 300;

/** Tables of so many bytes have rows, or had some. */
const FIRST_BYTES = 32_768;

/** Never analysed, or when there was nothing in it. */
const UNKNOWN = {
  text: `select quote_ident(relname) as name, pg_relation_size(oid)::float8 as bytes from pg_class
    where relkind = 'r' and reltuples <= 0
      and relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  values: [],
};

interface Unknown {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Analyses what nothing is known of; tells whether there are tables left of which nothing can be. A
 * table whose rows are gone again stays unknown: `analysed` tells how large each was, so that it is
 * not analysed again before it has grown.
 */
export async function analyseFirstRows(
  runner: PostgresRunner,
  analysed: Map<string, number>,
): Promise<boolean> {
  const { rows } = await runner.query(UNKNOWN, null);
  const unknown = rows as Unknown[];
  const grown = unknown.filter(
    ({ name, bytes }) => bytes >= FIRST_BYTES && bytes > (analysed.get(name) ?? 0),
  );
  for (const { name, bytes } of grown) analysed.set(name, bytes);
  const names = grown.map(({ name }) => name);
  if (names.length > 0)
    await runner.query({ text: `analyze ${names.join(", ")}`, values: [] }, null);
  return unknown.length > names.length;
}

export class FirstStatistics {
  readonly #runner: PostgresRunner;
  readonly #log: Logger;
  readonly #analysed = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #looks = 0;

  constructor(runner: PostgresRunner, log: Logger) {
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
      if (!(await analyseFirstRows(this.#runner, this.#analysed))) this.#looks = MOST_LOOKS;
    } catch (error) {
      this.#log.debug(
        { err: error },
        "New tables could not be analysed; the database does so by itself",
      );
    }
    this.#timer = null;
  }
}
