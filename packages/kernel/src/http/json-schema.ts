export type JsonSchema = Readonly<Record<string, unknown>>;

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isNull(schema: unknown): boolean {
  return isSchema(schema) && schema["type"] === "null";
}

/** What the caller has to send: a property with a default is filled in before it is missed. */
export function requiredNames(schema: JsonSchema): readonly string[] {
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, unknown>>;
  return required.filter((name) => {
    const property = properties[name];
    return !(isSchema(property) && "default" in property);
  });
}

export function hasType(schema: unknown, type: string): boolean {
  if (!isSchema(schema)) return false;
  const types = schema["type"];
  if (types === type || (Array.isArray(types) && types.includes(type))) return true;
  const union = schema["anyOf"];
  return Array.isArray(union) && union.some((branch) => hasType(branch, type));
}
