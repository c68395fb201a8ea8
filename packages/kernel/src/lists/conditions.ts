import type { Dialect } from "../storage/dialect.ts";
import type { Attribute, AttributeGroup, Attributes, Relations } from "./definition.ts";
import { applyOperator, type Bind } from "./operators.ts";

/** A filter as it arrives, already validated: attribute → operator → value, and `operator` for and/or. */
export type Filter = { readonly [key: string]: unknown };

export interface ConditionContext {
  readonly dialect: Dialect;
  readonly bind: Bind;
}

const isGroup = (attribute: Attribute | AttributeGroup): attribute is AttributeGroup =>
  "group" in attribute;
const isObject = (value: unknown): value is Filter => typeof value === "object" && value !== null;

/** The SQL condition for a filter over the rows called `alias`, or null when it restricts nothing. */
export function filterCondition(
  attributes: Attributes,
  { filter, alias }: { readonly filter: Filter; readonly alias: string },
  context: ConditionContext,
): string | null {
  const conditions: string[] = [];
  for (const [name, attribute] of Object.entries(attributes)) {
    const wanted = filter[name];
    if (!isObject(wanted)) continue;
    const condition = isGroup(attribute)
      ? filterCondition(attribute.group, { filter: wanted, alias }, context)
      : attributeCondition(attribute, { filter: wanted, alias }, context);
    if (condition !== null) conditions.push(condition);
  }
  return joined(conditions, filter);
}

function attributeCondition(
  attribute: Attribute,
  { filter, alias }: { readonly filter: Filter; readonly alias: string },
  { dialect, bind }: ConditionContext,
): string | null {
  const column = columnOf(attribute, alias);
  const conditions: string[] = [];
  for (const operator of attribute.operators) {
    const value = filter[operator];
    if (value === undefined || value === null) continue;
    const condition = applyOperator(operator, { column, attribute, dialect, value, bind });
    if (condition !== null) conditions.push(condition);
  }
  return joined(conditions, filter);
}

/** Conditions on related resources: each is met when at least one related row meets its filter. */
export function relatedConditions(
  relations: Relations,
  { filters, table }: { readonly filters: Filter; readonly table: string },
  context: ConditionContext & { readonly workspace: string },
): string[] {
  const conditions: string[] = [];
  for (const [name, { to, on }] of Object.entries(relations)) {
    const filter = filters[name];
    if (!isObject(filter)) continue;
    const met = filterCondition(to.filter, { filter, alias: "related" }, context);
    if (met === null) continue;
    conditions.push(
      `exists (select 1 from "${to.table}" related where related.workspace_id = ${context.workspace} and ${on.replaceAll("$", `"${table}"`)} and ${met})`,
    );
  }
  return conditions;
}

function columnOf({ column, expression }: Attribute, alias: string): string {
  return expression === undefined
    ? `"${alias}"."${column}"`
    : `(${expression.replaceAll("$", `"${alias}"`)})`;
}

function joined(conditions: readonly string[], { operator }: Filter): string | null {
  if (conditions.length === 0) return null;
  return `(${conditions.join(operator === "or_" ? " or " : " and ")})`;
}
