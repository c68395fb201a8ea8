import { _, type Code, type CodeKeywordDefinition, type KeywordCxt } from "ajv";

const SCALARS: ReadonlySet<unknown> = new Set(["string", "number", "boolean"]);

/** Whether a schema's `type` is a choice of scalars, among them numbers of any length. */
export function isScalarTypes(types: unknown): boolean {
  return (
    Array.isArray(types) && types.includes("number") && types.every((type) => SCALARS.has(type))
  );
}

/**
 * `type` for such a choice: the validator's own takes no whole number that is too long for a
 * number, and no `Float`.
 */
export const scalarTypesKeyword: CodeKeywordDefinition = {
  keyword: "scalarTypes",
  schemaType: "array",
  error: { message: "has another type", params: ({ schemaCode }) => _`{type: ${schemaCode}}` },
  code(cxt: KeywordCxt): void {
    const types = cxt.schema as readonly string[];
    const fits = types.map((type) => hasType(cxt.data, type));
    cxt.pass(fits.reduce((one, other) => _`${one} || ${other}`));
  },
};

function hasType(data: Code, type: string): Code {
  const isOfType: Code = _`typeof ${data} === ${type}`;
  return type === "number"
    ? _`${isOfType} || typeof ${data} === "bigint" || typeof ${data} === "function"`
    : isOfType;
}
