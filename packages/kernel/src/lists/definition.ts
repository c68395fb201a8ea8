import type { FieldKind, Fields } from "../storage/dialect.ts";

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
] as const;
export type Operator = (typeof OPERATORS)[number];

/** An attribute that can be filtered: a column, or an expression over the row written as `$.column`. */
export interface Attribute {
  readonly column?: string;
  readonly expression?: string;
  readonly kind: FieldKind;
  readonly operators: readonly Operator[];
}

/** Attributes may be nested one below the other, such as `state: { type, name }`. */
export interface AttributeGroup {
  readonly group: Attributes;
}
export type Attributes = { readonly [name: string]: Attribute | AttributeGroup };

/** All that is known of a resource's lists. Data only: it imports nothing from its feature's code. */
export interface ListDefinition<Sort extends string = string> {
  readonly table: string;
  readonly fields: Fields;
  readonly filter: Attributes;
  /** Sort key → columns in order; `id` is added behind them, so that pages never overlap. */
  readonly sorts: Readonly<Record<Sort, readonly OrderTerm[]>>;
  readonly defaultSort: Sort;
}

export type OrderTerm = `${string} asc` | `${string} desc`;

/**
 * A condition on another resource, met by rows that have at least one related row. `on` joins the two,
 * written with `$` for this resource's row and `related` for the other's, such as `related.id = $.flow_id`.
 */
export interface Relation {
  readonly to: ListDefinition;
  readonly on: string;
}
export type Relations = Readonly<Record<string, Relation>>;
