// What a trigger would have to work out for every row that changes, it can note instead, and have
// it worked out once for all rows of a batch, right before the commit. More than the sums this
// saves copies: where a trigger calls a function, SQLite copies each page before it changes (see
// sqlite-connection.ts). A migration makes a view `before_commit` of one column over what is noted,
// with a trigger that works it off in place of an insert; the writer looks for it. There is one
// such view in a database: a later migration that has more to work off makes it anew.

import type { SqliteConnection } from "./sqlite-connection.ts";

const VIEW = "before_commit";
const IS_THERE = `select 1 from sqlite_schema where type = 'view' and name = '${VIEW}'`;
const IS_NOTED = `select 1 from ${VIEW} limit 1`;
const WORK_OFF = `insert into ${VIEW} values (1)`;

export class BeforeCommit {
  readonly #connection: SqliteConnection;
  /** When it was last looked whether there is such a view. */
  #lookedAt = -1;
  #isThere = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  workOff(): void {
    const connection = this.#connection;
    if (this.#lookedAt !== connection.executions) {
      this.#isThere = connection.rows(IS_THERE).length > 0;
      this.#lookedAt = connection.executions;
    }
    if (!this.#isThere || connection.select({ sql: IS_NOTED, values: [] }) === undefined) return;
    connection.command(WORK_OFF);
  }
}
