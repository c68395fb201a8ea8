// A statement as the driver sends it, without what it does anew for every call: the settings of a
// query are copied field by field there, and the columns of its rows are asked for and looked up
// again although a prepared statement always has the same.

import type { Duplex } from "node:stream";
import pg, { type ClientBase, type QueryResult } from "pg";

export interface Message {
  readonly text: string;
  readonly values: unknown[];
  /** The server keeps it prepared under this name. */
  readonly name?: string | undefined;
  /** It is answered so soon that others can wait behind it. */
  readonly isQuick?: boolean;
}

/** What the driver's queries use of a connection; its types leave most of it out. */
export interface Wire {
  readonly stream: Duplex;
  /** By their names, statements that were sent to be prepared and are not known to be. */
  readonly submittedNamedStatements: Record<string, string>;
  readonly bind: (message: { statement: string; values: readonly (string | null)[] }) => void;
  readonly execute: (message: object) => void;
  readonly sync: () => void;
}

/** The columns of a statement's rows, and how to read them. */
interface Columns {
  readonly fields: readonly unknown[];
  readonly _parsers: readonly unknown[] | undefined;
  readonly _prebuiltEmptyResultObject: object | null;
}

/** Takes a query to be sent. */
export interface QuerySender {
  readonly query: (query: pg.Submittable) => unknown;
}

interface DriverQuery {
  readonly text: string;
  readonly values: unknown[];
  name: string | undefined;
  queryMode: "extended";
  callback: (error: Error | null, result: QueryResult) => void;
  _result: Columns & { _types?: unknown };
  _accumulateRows: boolean;
  submit(connection: Wire): Error | null;
  prepare(connection: Wire): void;
  hasBeenParsed(connection: Wire): boolean;
  _getRows(connection: Wire): void;
  handleRowDescription(message: object): void;
  handleDataRow(message: object): void;
  handleCommandComplete(message: object, connection: Wire): void;
  handleError(error: Error, connection: Wire): void;
  handleReadyForQuery(connection: Wire): void;
}
export const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: unknown[],
) => DriverQuery;

export const wireOf = (client: ClientBase): Wire =>
  (client as unknown as { readonly connection: Wire }).connection;

/** By the names of the statements that a connection keeps prepared. */
const columnsOn = new WeakMap<Wire, Map<string, Columns>>();

export class PreparedQuery extends DriverQuery {
  /** Others end the message that it is sent in. */
  isFollowed = false;
  /** Its own answer is complete. */
  isAnswered = false;
  #isKnown = false;

  constructor({ text, values, name }: Message) {
    super(text, values);
    this.name = name;
    // Also what has no values goes by Parse, Bind and Execute, so that it ends with the same Sync.
    this.queryMode = "extended";
  }

  run(line: QuerySender): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      this.callback = (error, result) => (error ? reject(error) : resolve(result));
      line.query(this as unknown as pg.Submittable);
    });
  }

  override prepare(connection: Wire): void {
    const columns = this.name === undefined ? undefined : columnsOn.get(connection)?.get(this.name);
    const { values } = this;
    if (columns === undefined || !values.every(isPlain) || !this.hasBeenParsed(connection)) {
      super.prepare(connection);
      return;
    }
    this.#isKnown = true;
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    connection.bind({ statement: this.name ?? "", values: values.map(asText) });
    this._getRows(connection);
  }

  override _getRows(connection: Wire): void {
    connection.execute({});
    if (!this.isFollowed) connection.sync();
  }

  /** By now the columns have been told, if there are any and they were asked for. */
  override handleCommandComplete(message: object, connection: Wire): void {
    if (this.name !== undefined && !this.#isKnown) {
      const known = columnsOn.get(connection) ?? new Map<string, Columns>();
      columnsOn.set(connection, known);
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      known.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    }
    this.isAnswered = true;
    super.handleCommandComplete(message, connection);
  }
}

type Plain = string | number | boolean | null;

/** What is sent as it is written; of all else the driver knows how. */
function isPlain(value: unknown): value is Plain {
  const type = typeof value;
  return value === null || type === "string" || type === "number" || type === "boolean";
}

/** What cannot fail to be sent. */
export const isWritable = (value: unknown): boolean =>
  isPlain(value) || (Array.isArray(value) && value.every(isPlain));

const asText = (value: Plain): string | null => (value === null ? null : String(value));
