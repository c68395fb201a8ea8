// Statements that are sent as one: the server says once, behind the last of them, that it is done,
// where it would say so and wake us behind each. Where one fails those behind it are not run.
// Unless a transaction is under way they are one by themselves: the server commits all of them when
// it is done, and nothing where one fails.

import type pg from "pg";
import type { ClientBase } from "pg";
import { DriverQuery, PreparedQuery, type QuerySender, type Wire } from "./prepared-query.ts";

export class QueryBundle extends DriverQuery {
  readonly #parts: PreparedQuery[] = [];
  /** The one whose answer comes next. */
  #next = 0;
  #isOver = false;

  constructor() {
    super("", []);
  }

  /** What is sent here goes with the bundle. */
  readonly line: QuerySender = {
    query: (query) => {
      if (!(query instanceof PreparedQuery)) throw new Error("Only prepared queries are bundled");
      this.#parts.push(query);
    },
  };

  /**
   * Done when the server is, and failed where one of them did or what they did could not be
   * committed.
   */
  send(client: ClientBase): Promise<void> {
    const last = this.#parts.at(-1);
    if (last === undefined) return Promise.resolve();
    for (const part of this.#parts) part.isFollowed = part !== last;
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
      client.query(this as unknown as pg.Submittable);
    });
  }

  // The driver notes by these what the connection has prepared.
  override get name(): string | undefined {
    return this.#parts[this.#next]?.name;
  }

  override set name(_: string | undefined) {}

  override get text(): string {
    return this.#parts[this.#next]?.text ?? "";
  }

  override set text(_: string) {}

  override submit(connection: Wire): Error | null {
    const { _types } = this._result;
    connection.stream.cork();
    try {
      for (const part of this.#parts) {
        part._result._types = _types;
        const error = part.submit(connection);
        if (error !== null) throw error;
      }
    } catch (error) {
      // What was written of it has no end, so nothing more can be said on this connection.
      this.#end(connection, error as Error);
      connection.stream.destroy();
      throw error;
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  override handleRowDescription(message: object): void {
    this.#parts[this.#next]?.handleRowDescription(message);
  }

  override handleDataRow(message: object): void {
    this.#parts[this.#next]?.handleDataRow(message);
  }

  override handleCommandComplete(message: object, connection: Wire): void {
    const part = this.#parts[this.#next];
    part?.handleCommandComplete(message, connection);
    if (part?.isAnswered) this.#next += 1;
  }

  override handleReadyForQuery(connection: Wire): void {
    this.#end(connection, null);
    super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Wire): void {
    this.#end(connection, error);
    super.handleError(error, connection);
  }

  #end(connection: Wire, error: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const answered = error === null ? this.#parts.length : this.#next;
    for (const part of this.#parts.slice(0, answered)) part.handleReadyForQuery(connection);
    if (error === null) return;
    for (const part of this.#parts.slice(answered)) {
      // What stood behind the failure was not even prepared.
      if (part.name !== undefined) delete connection.submittedNamedStatements[part.name];
      part.handleError(error, connection);
    }
  }
}
