import type { FieldKind, Fields } from "../storage/dialect.ts";
import type { TextSource } from "../text-blocks/text-source.ts";

/** What may be asked of an attribute. Each is explained, once, in `operators.ts`. */
export const OPERATORS = [
  "any_",
  "not_any_",
  "all_",
  "like_",
  "startswith_",
  "eq_",
  "before_",
  "after_",
  "ge_",
  "le_",
  "is_null_",
  "exists_",
  "query",
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Where the value of an attribute stands. One of: */
interface Source {
  /** A column of the row. */
  readonly column?: string;
  /** An expression over the row, written as `$.column`. */
  readonly expression?: string;
  /** With `column`: it is a column of the row of another table whose id this row holds. */
  readonly through?: Reference;
  readonly kind: FieldKind;
  /**
   * For tags of many rows: the index that a migration made with `tagIndex`, and the column whose
   * order it keeps.
   */
  readonly tagIndex?: { readonly table: string; readonly order: string };
  /** For texts of many rows: the index that a migration made with `letterIndex`. */
  readonly letterIndex?: string;
  /**
   * The rows with a value are found by an index, which begins with the workspace and this and keeps
   * them in the order of that column. Many may share a value or few.
   */
  readonly valueIndex?: ValueIndex;
  /**
   * For numbers: an index has the rows with so much and more, in the order of the list, and no
   * others; its condition says so in the same words.
   */
  readonly indexedFrom?: number;
  /**
   * Few rows share a value: better to look them up and sort them than to go through all in the
   * order of the list.
   */
  readonly isRare?: true;
  /** An index finds the rows with a value, and they are few enough to look at all of them. */
  readonly isNarrow?: true;
  /**
   * For texts that are not stored as they were given: all the forms that a value of `any_` or
   * `not_any_` may have been stored in; the one form of a tag.
   */
  readonly stored?: (value: string) => readonly string[];
  /** In `like_`, `%` stands for any characters and `_` for any one. */
  readonly hasWildcards?: true;
}

export interface ValueIndex {
  readonly order: string;
  /**
   * Values that most rows have: rows with one of these are not in the index, whose condition says
   * so in the same words (`hasNoneOf`).
   */
  readonly without?: readonly string[];
}

/** A column of this row that holds the id of a row of `table`. */
interface Reference {
  readonly table: string;
  readonly column: string;
}

/** An attribute that can be filtered. */
export interface Attribute extends Source {
  readonly operators: readonly Operator[];
  /** What is asked when the attribute is named and nothing is asked of it. */
  readonly whenEmpty?: Readonly<Record<string, unknown>>;
}

/**
 * An operator with a column or a name of its own: `id_`, which means `any_` of the column
 * `created_by_id`.
 */
export interface OperatorAttribute extends Source {
  readonly meaning: Operator;
}

/** Attributes may be nested one below the other, such as `state: { type, name }`. */
export interface AttributeGroup {
  readonly group: Attributes;
}
export type Attributes = {
  readonly [name: string]: Attribute | OperatorAttribute | AttributeGroup;
};

/**
 * All that is known of a resource's lists. Data only: it imports nothing from its feature's code.
 */
export interface ListDefinition<Sort extends string = string> extends Filterable {
  readonly fields: Fields;
  /** Sort key → columns in order; `id` is added behind them, so that pages never overlap. */
  readonly sorts: Readonly<Record<Sort, readonly OrderTerm[]>>;
  readonly defaultSort: Sort;
  /**
   * There may be very many rows: their records are not built only to be sorted away. For tables
   * whose rows SQLite numbers: no views, and none `without rowid`.
   */
  readonly isLarge?: true;
  /** Orders that no index keeps. */
  readonly slowSorts?: readonly Sort[];
  /**
   * The attribute that is searched with `query`, where blocks are kept of its texts. The attribute
   * with the time is called as its column.
   */
  readonly textBlocks?: { readonly source: TextSource; readonly attribute: string };
}

/**
 * A filter as it arrives, already validated: attribute → operator → value, and `operator` for
 * and/or.
 */
export type Filter = { readonly [key: string]: unknown };

/** Rows that can be filtered. */
export interface Filterable {
  readonly table: string;
  readonly filter: Attributes;
  readonly tally?: RowCounter;
  /**
   * There may be so many rows that to go through them all takes a while. For tables whose rows
   * SQLite numbers; for a view, the table behind it is named.
   */
  readonly isVast?: true | { readonly table: string };
}

/**
 * A table or a view of how many rows there are (`count`), by these attributes alone; a kind may
 * have several rows, which are added up.
 */
export interface RowCounter {
  readonly table: string;
  readonly filter: Attributes;
  /** The column with the number of rows, and the condition that finds each row counted once. */
  readonly count: string;
  readonly isWhole: string;
  /** A column of both tables by which an index finds rows in the other one. */
  readonly found: string;
}

export type OrderTerm = `${string} asc` | `${string} desc`;

/**
 * A condition on another resource, met by rows that have at least one related row. The two are
 * joined by a column with an id: of this resource's row (`column`), or of the other's
 * (`theirColumn`). Related rows have relations of their own (`relations`): a condition on those
 * must be met by way of the same related row.
 */
export type Relation = {
  readonly to: Filterable;
  readonly relations?: Relations;
} & ({ readonly column: string } | { readonly theirColumn: string });
export type Relations = Readonly<Record<string, Relation>>;
