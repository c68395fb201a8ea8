import type { Kysely, RawBuilder } from "kysely";
import type { TrigramCandidates, TrigramIndex } from "./trigram-index.ts";

/** How a column is declared. Everything else about a column is the same on both engines. */
export interface ColumnTypes {
  readonly id: string;
  readonly text: string;
  readonly time: string;
  /** JSON kept as it was written: never looked into by the database, only handed out. */
  readonly json: string;
  /** JSON array of strings that lists search. */
  readonly tags: string;
  readonly flag: string;
  readonly integer: string;
  readonly real: string;
  /** Primary key that counts up and never hands out a number twice. */
  readonly position: string;
  /**
   * Behind a reference of a table with triggers, which SQLite can only look at after each statement
   * if it copies what that changes; at the commit it costs nothing. Whoever waits for the write is
   * told the same.
   */
  readonly checkedAtCommit: string;
  /**
   * What makes the rows of a table with a column `tags` found by their tags, where there are very
   * many rows, in the order of a column: a table (workspace_id, tag, at, row_id), kept by triggers.
   */
  readonly tagIndex: (table: string, index: string, order: string) => string;
  /**
   * What makes the rows of a table found by some letters of a column, where there are very many
   * rows; kept by `Database.updateTrigramIndex`.
   */
  readonly letterIndex: (index: TrigramIndex) => string;
}

/** What a field of a record is on the wire; decides how the database writes it into JSON. */
export type FieldKind = "id" | "text" | "time" | "json" | "tags" | "flag" | "integer" | "real";

/** A row of which something is computed. */
export interface RowSql {
  readonly dialect: Dialect;
  readonly column: (name: string) => RawBuilder<unknown>;
  /** An expression without values, written with `$` for the row. */
  readonly text: (expression: string) => RawBuilder<unknown>;
  /** The moment of the request. */
  readonly now: RawBuilder<string>;
}

/** A field that no column holds. */
export interface ComputedField {
  readonly kind: FieldKind;
  readonly expression: (row: RowSql) => RawBuilder<unknown>;
}

/**
 * Fields that are found elsewhere in one look, under names of their own; null where it finds
 * nothing.
 */
export interface LookedUpFields {
  /**
   * What stands behind `from`, written with `$` for the row of the record. It finds one row at
   * most.
   */
  readonly from: string;
  /** Expressions over what is found, with the names of its tables. */
  readonly fields: Readonly<Record<string, ComputedField>>;
}

/** The key of fields that are looked up is theirs only here, and not on the wire. */
export type Fields = Readonly<Record<string, FieldKind | ComputedField | LookedUpFields>>;

/**
 * Where the two engines differ, as named capabilities. Features ask for these by name and never for
 * the engine.
 */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly types: ColumnTypes;
  /** A text expression that holds a record as a JSON object, with the fields in order. */
  readonly recordJson: (
    fields: Fields,
    table: string,
    now?: RawBuilder<string>,
  ) => RawBuilder<string>;
  /** How the SQL refers to the n-th value, counted from 1. */
  readonly parameter: (n: number) => string;
  /** A list as one parameter, so that the SQL is the same for any number of values. */
  readonly list: (values: readonly unknown[]) => unknown;
  /** The values of a list parameter, texts, as rows with a column `value`. */
  readonly valuesOf: (parameter: string, alias: string) => string;
  /** Condition: `column` is one of the values of a list parameter. */
  readonly isOneOf: (column: string, kind: FieldKind, parameter: string) => string;
  /**
   * Makes conditions that a text holds a term, in any case. An index is of no use to them, and they
   * are the quickest without one.
   */
  readonly holding: (term: string, bind: (value: unknown) => string) => (text: string) => string;
  /**
   * Candidates for rows that hold a text; `bind` adds what is needed to find them. Null where the
   * text has too few letters in a row.
   */
  readonly letterCandidates: (
    index: TrigramIndex,
    text: string,
    bind: (value: unknown) => string,
  ) => TrigramCandidates | null;
  /** By what they are told apart, and found sooner than by any index. */
  readonly letterKey: "rowid" | "id";
  /**
   * Condition that a text holds another, letters of ASCII in any case, where `%` stands for any
   * characters and `_` for any one; the parameter is made by `patternOf`.
   */
  readonly matches: (column: string, parameter: string) => string;
  readonly patternOf: (text: string) => string;
  /** Conditions over a `tags` column and a list parameter. */
  readonly hasAllTags: (column: string, parameter: string) => string;
  readonly hasAnyTag: (column: string, parameter: string) => string;
  readonly hasNoTags: (column: string) => string;
  /** Condition: `column` begins with one of the values of a list parameter, in any case. */
  readonly startsWithOneOf: (column: string, parameter: string) => string;
  /**
   * The same condition, with the hint that nearly every row meets it: it finds nothing, others do.
   */
  readonly isCommon: (condition: string) => string;
  /** The same hint on a condition with bound values. */
  readonly likely: (condition: RawBuilder<boolean>) => RawBuilder<boolean>;
  /** The same condition, with the hint that hardly any row meets it. */
  readonly isRare: (condition: string) => string;
  /**
   * The same condition, with the hint that many rows meet it, which behind a policy the database
   * may not find out.
   */
  readonly isFrequent: (condition: string) => string;
  /**
   * Whether a column is in a list that is worked out once, before anything else, however little is
   * known of its length.
   */
  readonly isAmong: (column: string, select: string) => string;
  /**
   * A JSON array of objects, one parameter, as rows with a column for each field: any number of
   * rows in one statement. JSON that is a value of the rows can be given beside them, by the names
   * of its columns: an array with one for each row. To read it as a text inside of the objects
   * takes long.
   */
  readonly rowsFrom: (
    fields: Readonly<Record<string, FieldKind>>,
    json: string,
    beside?: Readonly<Record<string, string>>,
  ) => RawBuilder<unknown>;
  /** The JSON text of what stands at a path inside a JSON column; null where nothing does. */
  readonly jsonAt: (column: string, ...path: readonly string[]) => string;
  /** What stands under a name in a text that is a JSON object, as a text. */
  readonly textAt: (object: string, name: string) => string;
  /** All values of a column in the order of the rows, with commas between them. */
  readonly joined: (column: string) => string;
  /**
   * A text as its bytes in UTF-8; as text where the engine's driver makes a string of it in any
   * case.
   */
  readonly asBytes: (text: string) => string;
  /**
   * How a statement is carried out depends on its values: with every call it is thought over again,
   * as long as they seem to matter.
   */
  readonly plansByValue: boolean;
  /**
   * What a query selects is computed for every row that is sorted, also for those beyond its limit.
   */
  readonly buildsBeforeSorting: boolean;
  /** The same of the rows that an offset passes over. */
  readonly buildsPassedOver: boolean;
  /** Several writers can be under way, so a row that a transaction depends on must be locked. */
  readonly locksRows: boolean;
  /** The moment the statement runs, on the clock that all replicas share. */
  readonly now: string;
  readonly nowPlusSeconds: (seconds: number) => RawBuilder<string>;
  /** A time so many seconds later. */
  readonly plusSeconds: (time: RawBuilder<string>, seconds: number) => RawBuilder<string>;
  /** The seconds from one time to another, as a number with a fraction. */
  readonly secondsBetween: (
    from: RawBuilder<unknown>,
    to: RawBuilder<unknown>,
  ) => RawBuilder<number>;
  /** A time as whole microseconds since 1970. */
  readonly micros: (time: string) => string;
  /** The greatest of some numbers. */
  readonly greatest: (...expressions: readonly RawBuilder<unknown>[]) => RawBuilder<number>;
  /**
   * Writers commit one after another, so positions become visible in the order they were handed
   * out.
   */
  readonly commitsInOrder: boolean;
  /**
   * Every statement is a round trip to another process. Where it is not, a long query holds up this
   * one.
   */
  readonly isRemote: boolean;
  /** Builds and compiles statements; it cannot run them. */
  readonly builder: Kysely<unknown>;
}
