// Every test of the API looks out for one secret: what it is told, what is logged, and what stands
// in the database.

import { createLogger, type Logger } from "@orchestrator/kernel/log";
import type { Database } from "@orchestrator/kernel/storage";
import type { FastifyRequest } from "fastify";

/**
 * Tests give it as the value of secrets, alone or within a text. A test in which anybody is shown
 * it fails.
 */
export const PLANTED_SECRET = "planted-Qm7x-9c1f-secret";

export interface LeakWatch {
  /**
   * A text that somebody was told, unless they asked for secrets; `where` says how they heard it.
   */
  readonly look: (text: string | Uint8Array, where: string) => void;
  /** Tells that the secret was given, so that the database is worth a look. */
  readonly given: (text: string) => void;
  readonly log: Logger;
  /** Throws if the secret was shown to anyone, or stands anywhere in the open. */
  readonly check: (db: Database) => Promise<void>;
}

export function watchForLeaks(): LeakWatch {
  const leaks: string[] = [];
  let isGiven = false;
  const look = (text: string | Uint8Array, where: string): void => {
    const isShown =
      typeof text === "string"
        ? text.includes(PLANTED_SECRET)
        : Buffer.from(text.buffer, text.byteOffset, text.byteLength).includes(PLANTED_SECRET);
    if (isShown) leaks.push(where);
  };
  const destination = {
    write(line: string) {
      look(line, "a line of the log");
    },
  };
  return {
    look,
    given(text) {
      isGiven ||= text.includes(PLANTED_SECRET);
    },
    log: createLogger({ level: "debug", format: "json", name: "test", destination }),
    async check(db) {
      const tables = isGiven ? await tablesWithSecret(db) : [];
      const found = [...leaks, ...tables.map((name) => `the table ${name}`)];
      if (found.length > 0)
        throw new Error(`A secret was shown: ${[...new Set(found)].join(", ")}`);
    },
  };
}

/** Whether a request may be answered with secrets. */
export function wantsSecrets({ query, body }: FastifyRequest): boolean {
  return [query, body].some(
    (given) =>
      typeof given === "object" &&
      given !== null &&
      "include_secrets" in given &&
      String(given.include_secrets) === "true",
  );
}

function tablesWithSecret(db: Database): Promise<string[]> {
  return db.exclusively(async (session) => {
    const tables = await session.rows<{ name: string }>(
      session.dialect.name === "sqlite"
        ? "select name from sqlite_master where type = 'table' order by name"
        : "select table_name as name from information_schema.tables where table_schema = current_schema() order by name",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await session.rows(`select * from "${name}"`);
      if (JSON.stringify(rows).includes(PLANTED_SECRET)) found.push(name);
    }
    return found;
  });
}
