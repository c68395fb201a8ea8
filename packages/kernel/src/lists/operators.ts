import type { Dialect, FieldKind } from "../storage/dialect.ts";
import { IS_ASCII } from "../storage/letter-cases.ts";
import { parseTextSearch, textSearchCondition } from "../text-search/text-search.ts";
import type { Operator } from "./definition.ts";

/** Adds a value to the query and returns how the SQL refers to it. */
export type Bind = (value: unknown) => string;

/** What SQL is put together with. */
export interface SqlContext {
  readonly dialect: Dialect;
  readonly bind: Bind;
  /** How the SQL refers to the workspace. */
  readonly workspace: string;
}

interface Operand {
  readonly column: string;
  readonly kind: FieldKind;
  readonly hasWildcards: boolean;
  readonly dialect: Dialect;
  readonly value: unknown;
  readonly bind: Bind;
}

type Meaning = (operand: Operand) => string | null;

const isTags = ({ kind }: Operand): boolean => kind === "tags";
const asList = (value: unknown): readonly unknown[] => value as readonly unknown[];

const presence = (operand: Operand, isPresent: boolean): string => {
  if (isTags(operand)) {
    const isEmpty = operand.dialect.hasNoTags(operand.column);
    return isPresent ? `not (${isEmpty})` : isEmpty;
  }
  return `${operand.column} is ${isPresent ? "not null" : "null"}`;
};

const compared = (comparison: string): Meaning => {
  return ({ column, bind, value }) => `${column} ${comparison} ${bind(value)}`;
};

const WILDCARD = /[%_]/;
/** Of SQLite it is 50,000 bytes, of which a letter of two cases and more takes up to eleven. */
const LONGEST_PATTERN = 4000;
/** Each number of values is a statement of its own. */
const FEW_VALUES = 4;

/** What each operator means, on any column of any resource. Null means: no restriction. */
const MEANINGS: Readonly<Record<Operator, Meaning>> = {
  /** The value is one of these, or the tags hold one of these. An empty list matches nothing. */
  any_: (operand) => {
    const { column, kind, dialect, value, bind } = operand;
    const values = asList(value);
    // Where only one value is asked for, an index can hand out the rows in the order of the list.
    if (!isTags(operand) && values.length === 1) return `${column} = ${bind(values[0])}`;
    // How many there are is known without their values, so that what they select need not be
    // planned for each request.
    if (
      !isTags(operand) &&
      dialect.plansByValue &&
      values.length > 0 &&
      values.length <= FEW_VALUES
    )
      return `${column} in (${values.map((each) => bind(each)).join(", ")})`;
    const list = bind(dialect.list(values));
    return isTags(operand) ? dialect.hasAnyTag(column, list) : dialect.isOneOf(column, kind, list);
  },
  /** The value is none of these. An empty list restricts nothing. */
  not_any_: ({ column, kind, dialect, value, bind }) => {
    if (asList(value).length === 0) return null;
    return `not (${dialect.isOneOf(column, kind, bind(dialect.list(asList(value))))})`;
  },
  /** The tags hold all of these. An empty list restricts nothing. */
  all_: ({ column, dialect, value, bind }) =>
    asList(value).length === 0
      ? null
      : dialect.hasAllTags(column, bind(dialect.list(asList(value)))),
  /** The text holds this, in any case. Nothing restricts nothing, not even to what has a text. */
  like_: ({ column, hasWildcards, dialect, value, bind }) => {
    const text = String(value);
    if (text === "") return null;
    const isPattern = hasWildcards && WILDCARD.test(text);
    // Longer than any name, and than every engine takes.
    if ((isPattern || !IS_ASCII.test(text)) && text.length > LONGEST_PATTERN) return "1 = 0";
    return isPattern
      ? dialect.matches(column, bind(dialect.patternOf(text)))
      : dialect.holding(text, bind)(column);
  },
  /** The text begins with one of these, in any case. An empty list restricts nothing. */
  startswith_: ({ column, dialect, value, bind }) =>
    asList(value).length === 0
      ? null
      : dialect.startsWithOneOf(column, bind(dialect.list(asList(value)))),
  eq_: compared("="),
  /** Both ends are inclusive. */
  before_: compared("<="),
  after_: compared(">="),
  ge_: compared(">="),
  le_: compared("<="),
  /** For tags: there are none. */
  is_null_: (operand) => presence(operand, operand.value !== true),
  exists_: (operand) => presence(operand, operand.value === true),
  /** The text holds the terms of a search. */
  query: ({ column, dialect, value, bind }) =>
    textSearchCondition(parseTextSearch(String(value)), (term) =>
      dialect.holding(term, bind)(column),
    ),
};

export function applyOperator(operator: Operator, operand: Operand): string | null {
  return MEANINGS[operator](operand);
}
