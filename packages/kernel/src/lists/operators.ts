import { type Dialect, likePattern } from "../storage/dialect.ts";
import type { Attribute, Operator } from "./definition.ts";

/** Adds a value to the query and returns how the SQL refers to it. */
export type Bind = (value: unknown) => string;

interface Operand {
  readonly column: string;
  readonly attribute: Attribute;
  readonly dialect: Dialect;
  readonly value: unknown;
  readonly bind: Bind;
}

type Meaning = (operand: Operand) => string | null;

const isTags = ({ attribute }: Operand): boolean => attribute.kind === "tags";
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

/** What each operator means, on any column of any resource. Null means: no restriction. */
const MEANINGS: Readonly<Record<Operator, Meaning>> = {
  /** The value is one of these, or the tags hold one of these. An empty list matches nothing. */
  any_: (operand) => {
    const { column, attribute, dialect, value, bind } = operand;
    const list = bind(dialect.list(asList(value)));
    return isTags(operand)
      ? dialect.hasAnyTag(column, list)
      : dialect.isOneOf(column, attribute.kind, list);
  },
  /** The value is none of these. An empty list restricts nothing. */
  not_any_: ({ column, attribute, dialect, value, bind }) => {
    if (asList(value).length === 0) return null;
    return `not (${dialect.isOneOf(column, attribute.kind, bind(dialect.list(asList(value))))})`;
  },
  /** The tags hold all of these. */
  all_: ({ column, dialect, value, bind }) =>
    dialect.hasAllTags(column, bind(dialect.list(asList(value)))),
  /** The text holds this, in any case. */
  like_: ({ column, dialect, value, bind }) =>
    dialect.contains(column, bind(likePattern(String(value)))),
  startswith_: ({ column, dialect, value, bind }) =>
    dialect.startsWithOneOf(column, bind(dialect.list(asList(value)))),
  eq_: compared("="),
  /** Both ends are inclusive. */
  before_: compared("<="),
  after_: compared(">="),
  ge_: compared(">="),
  le_: compared("<="),
  /** For tags: there are none. */
  is_null_: (operand) => presence(operand, operand.value !== true),
  exists_: (operand) => presence(operand, operand.value === true),
};

export function applyOperator(operator: Operator, operand: Operand): string | null {
  return MEANINGS[operator](operand);
}
