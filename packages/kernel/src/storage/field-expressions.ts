import type { Dialect, FieldKind, Fields } from "./dialect.ts";

interface FieldExpression {
  readonly name: string;
  readonly kind: FieldKind;
  readonly value: string;
}

export const quote = (name: string): string => `"${name}"`;

/** The fields of a record, each with the expression of its value. */
export function* fieldExpressions(
  dialect: Dialect,
  fields: Fields,
  table: string,
): Generator<FieldExpression> {
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === "string")
      yield { name, kind: field, value: `${quote(table)}.${quote(name)}` };
    else {
      const expression = field.expression(dialect).replaceAll("$", quote(table));
      yield { name, kind: field.kind, value: `(${expression})` };
    }
  }
}
