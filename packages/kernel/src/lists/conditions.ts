import type {
  Attribute,
  AttributeGroup,
  Attributes,
  Filter,
  Operator,
  OperatorAttribute,
  Relation,
  Relations,
} from "./definition.ts";
import { applyOperator, type SqlContext } from "./operators.ts";
import { isFoundBySubstring, type SubstringLookups } from "./substring-lookup.ts";
import { isFoundByTags, type TagLookups } from "./tag-index.ts";
import { hasNoneOf, isFoundByValues, isIn, type ValueLookups } from "./value-lookup.ts";

export interface ConditionContext extends SqlContext {
  /** Which of the filters find their rows by tags. */
  readonly tagLookups: TagLookups;
  /** What is known of filters that ask for letters. */
  readonly letterLookups: SubstringLookups;
  /** How many rows have the values that filters ask for. */
  readonly valueLookups: ValueLookups;
}

/** A filter, and what the rows that it is about are called. */
interface AliasedFilter {
  readonly filter: Filter;
  readonly alias: string;
}

const isObject = (value: unknown): value is Filter => typeof value === "object" && value !== null;

/**
 * The SQL condition for a filter over the rows called `alias`, or null when it restricts nothing.
 */
export function filterCondition(
  attributes: Attributes,
  { filter, alias }: AliasedFilter,
  context: ConditionContext,
): string | null {
  if (hasOpenAlternative(attributes, { filter, alias }, context)) return null;
  const conditions: string[] = [];
  const lookup = context.tagLookups.get(filter);
  const lettered = context.letterLookups.get(filter);
  const valued = context.valueLookups.get(filter);
  for (const [name, attribute] of Object.entries(attributes)) {
    const wanted = filter[name];
    if (wanted === undefined || wanted === null) continue;
    if (name === lookup?.name && lookup.isAnswered) continue;
    const condition = memberCondition(attribute, { wanted, alias }, context);
    if (condition === null) continue;
    const isFrequent =
      valued?.get(name) === "many" ||
      [lookup, lettered].some((known) => known?.name === name && known.few === null);
    conditions.push(isFrequent ? context.dialect.isFrequent(condition) : condition);
  }
  const own = joined(conditions, filter);
  const found: string[] = [];
  if (lettered?.few != null) found.push(isFoundBySubstring(lettered.few, alias, context));
  if (lookup?.few != null) found.push(isFoundByTags(lookup.few, alias, context));
  for (const known of valued?.values() ?? [])
    if (known !== "many") found.push(isFoundByValues(known, alias, context));
  if (found.length === 0) return own;
  return `(${[...found, ...(own === null ? [] : [own])].join(" and ")})`;
}

/**
 * Of alternatives, one that asks nothing is met by every row. Found out before any value is bound,
 * as none may be that the statement does not name.
 */
function hasOpenAlternative(
  attributes: Attributes,
  { filter, alias }: AliasedFilter,
  context: ConditionContext,
): boolean {
  if (filter["operator"] !== "or_") return false;
  const unbound: ConditionContext = { ...context, bind: () => "" };
  return Object.entries(attributes).some(([name, attribute]) => {
    const wanted = filter[name];
    return isObject(wanted) && memberCondition(attribute, { wanted, alias }, unbound) === null;
  });
}

function memberCondition(
  attribute: Attribute | OperatorAttribute | AttributeGroup,
  { wanted, alias }: { readonly wanted: unknown; readonly alias: string },
  context: ConditionContext,
): string | null {
  if ("meaning" in attribute)
    return operatorCondition(
      attribute,
      { operator: attribute.meaning, value: wanted, alias },
      context,
    );
  if (!isObject(wanted)) return null;
  const asked = { filter: wanted, alias };
  return "group" in attribute
    ? filterCondition(attribute.group, asked, context)
    : attributeCondition(attribute, asked, context);
}

function attributeCondition(
  attribute: Attribute,
  { filter, alias }: AliasedFilter,
  context: ConditionContext,
): string | null {
  const conditions: string[] = [];
  let isEmpty = true;
  for (const operator of attribute.operators) {
    const value = filter[operator];
    if (value === undefined || value === null) continue;
    isEmpty = false;
    const condition = operatorCondition(attribute, { operator, value, alias }, context);
    if (condition !== null) conditions.push(condition);
  }
  const { whenEmpty, ...plain } = attribute;
  if (isEmpty && whenEmpty !== undefined)
    return attributeCondition(plain, { filter: whenEmpty, alias }, context);
  return joined(conditions, filter);
}

function operatorCondition(
  attribute: Attribute | OperatorAttribute,
  asked: {
    readonly operator: Operator;
    readonly value: unknown;
    readonly alias: string;
  },
  { dialect, bind, workspace }: ConditionContext,
): string | null {
  const { operator, alias } = asked;
  const value = storedValue(attribute, asked);
  const { through, kind, isRare, hasWildcards = false } = attribute;
  const column =
    through === undefined ? columnOf(attribute, alias) : `looked_up."${attribute.column}"`;
  const applied = applyOperator(operator, { column, kind, hasWildcards, dialect, value, bind });
  if (applied === null) return null;
  const plain = inIndex(attribute, { operator, value }, { applied, column });
  const condition = isRare && operator === "any_" ? dialect.isRare(plain) : plain;
  if (through === undefined) return condition;
  const isHere = dialect.isCommon(`looked_up.workspace_id = ${workspace}`);
  return `"${alias}"."${through.column}" in (select looked_up.id from "${through.table}" looked_up where ${isHere} and ${condition})`;
}

/**
 * Where an index has all of the rows, that is said: no database takes an index with a part of them
 * unless it is.
 */
function inIndex(
  { valueIndex, indexedFrom }: Attribute | OperatorAttribute,
  { operator, value }: { readonly operator: Operator; readonly value: unknown },
  { applied, column }: { readonly applied: string; readonly column: string },
): string {
  if (operator === "ge_" && indexedFrom !== undefined && (value as number) >= indexedFrom)
    return `(${applied} and ${column} >= ${indexedFrom})`;
  if (operator !== "any_" || valueIndex?.without === undefined) return applied;
  if (!isIn(valueIndex, value as readonly string[])) return applied;
  return `(${applied} and ${hasNoneOf(column, valueIndex.without)})`;
}

function storedValue(
  { stored }: Attribute | OperatorAttribute,
  { operator, value }: { readonly operator: Operator; readonly value: unknown },
): unknown {
  const isExact = operator === "any_" || operator === "not_any_" || operator === "all_";
  return stored !== undefined && isExact ? (value as readonly string[]).flatMap(stored) : value;
}

/**
 * Conditions on related resources: each is met when at least one related row meets its filter, and
 * there has to be one also where that asks nothing.
 */
export function relatedConditions(
  relations: Relations,
  { filters, alias, depth = 1 }: { filters: Filter; alias: string; depth?: number },
  context: ConditionContext,
): string[] {
  const conditions: string[] = [];
  for (const [name, relation] of Object.entries(relations)) {
    const theirs = `related${depth}`;
    const wanted = filters[name];
    const own = isObject(wanted)
      ? filterCondition(relation.to.filter, { filter: wanted, alias: theirs }, context)
      : null;
    const further = relatedConditions(
      relation.relations ?? {},
      { filters, alias: theirs, depth: depth + 1 },
      context,
    );
    const met = own === null ? further : [own, ...further];
    if (met.length === 0 && !isObject(wanted)) continue;
    conditions.push(isRelated(relation, { alias, theirs, met }, context));
    const only = onlyId(wanted);
    // Said again about the row itself, so that an index can hand out the rows in the order of the
    // list.
    if ("column" in relation && only !== null)
      conditions.push(`"${alias}"."${relation.column}" = ${context.bind(only)}`);
  }
  return conditions;
}

/** The one id that a filter asks for, whatever else it asks. */
function onlyId(filter: unknown): string | null {
  if (!isObject(filter) || filter["operator"] === "or_" || !isObject(filter["id"])) return null;
  const { any_, operator } = filter["id"];
  return Array.isArray(any_) && any_.length === 1 && operator !== "or_" ? String(any_[0]) : null;
}

/**
 * Where this row names its one related row, the related rows are found first and their ids looked
 * up; where there may be many related rows, they are looked for row by row.
 */
function isRelated(
  relation: Relation,
  {
    alias,
    theirs,
    met,
  }: { readonly alias: string; readonly theirs: string; readonly met: readonly string[] },
  { dialect, workspace }: ConditionContext,
): string {
  const isHere = dialect.isCommon(`${theirs}.workspace_id = ${workspace}`);
  const isMet = [isHere, ...met].join(" and ");
  const rows = `from "${relation.to.table}" ${theirs} where`;
  return "column" in relation
    ? `"${alias}"."${relation.column}" in (select ${theirs}.id ${rows} ${isMet})`
    : `exists (select 1 ${rows} ${theirs}."${relation.theirColumn}" = "${alias}".id and ${isMet})`;
}

function columnOf({ column, expression }: Attribute | OperatorAttribute, alias: string): string {
  return expression === undefined
    ? `"${alias}"."${column}"`
    : `(${expression.replaceAll("$", `"${alias}"`)})`;
}

function joined(conditions: readonly string[], { operator }: Filter): string | null {
  if (conditions.length === 0) return null;
  return `(${conditions.join(operator === "or_" ? " or " : " and ")})`;
}
