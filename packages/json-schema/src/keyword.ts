import { type JsonMap, writeJson } from "@orchestrator/exact-json";
import type { SchemaCheck } from "./check-run.ts";
import { badSchema, type SchemaProblem } from "./schema-problem.ts";
import type { JsonPath } from "./value-problem.ts";

/** How a schema is read. */
export interface SchemaOptions {
  /** Missing values are fine. */
  readonly ignoreRequired: boolean;
  /** Null is fine also where there is a default to take its place. */
  readonly allowNullWithDefault: boolean;
  /** Texts have to be what their `format` says; otherwise it is an annotation. */
  readonly checksFormats: boolean;
}

/** The schema object a keyword stands in. */
export interface SchemaNode {
  readonly schema: JsonMap;
  readonly place: JsonPath;
  readonly options: SchemaOptions;
  /** Compiles a schema within this one, found under the path given, for a part of the value. */
  readonly part: (schema: unknown, ...at: JsonPath) => SchemaCheck;
  /** The same for a schema that judges the same value as this one. */
  readonly same: (schema: unknown, ...at: JsonPath) => SchemaCheck;
}

/** Turns a keyword's value into a check, or null where there is nothing to check. */
export type Keyword = (value: unknown, node: SchemaNode) => SchemaCheck | null;

export function wrong(node: SchemaNode, keyword: string, message: string): SchemaProblem {
  return badSchema([...node.place, keyword], message);
}

const SHOWN_CHARACTERS = 60;

/** A value of the schema in a sentence. */
export function schemaValueText(value: unknown): string {
  const text = writeJson(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
