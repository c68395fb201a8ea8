import { Ajv2020 } from "ajv/dist/2020.js";
import { isSchema, type JsonSchema } from "../http/json-schema.ts";
import type { OpenApiDocument } from "../http/openapi-document.ts";
import { createRequestValidation } from "../http/validation.ts";

/** Whether a value fits. */
export type FitsSchema = (value: unknown) => boolean;

/** Whether the server takes a body, by the schema of its route. */
export function serverValidator(schema: JsonSchema): FitsSchema {
  const place = { method: "POST", url: "/", httpPart: "body" };
  const judge = createRequestValidation().compiler({ schema, ...place });
  return (body) => {
    const outcome: unknown = judge(structuredClone(body));
    return !(isSchema(outcome) && outcome["error"] !== undefined);
  };
}

/**
 * Whether a reader of the document, who knows nothing but JSON Schema, takes a body to be one that
 * the server takes.
 */
export function documentValidator(document: OpenApiDocument): (schema: unknown) => FitsSchema {
  // Each shape is compiled once, and the document is not compared with the grammar of JSON Schema.
  const quick = { inlineRefs: false, validateSchema: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, ...quick });
  ajv.addSchema({ $id: DOCUMENT, components: pointed(document["components"]) });
  return (schema) => {
    const fits = ajv.compile(pointed(schema) as JsonSchema);
    return (value) => fits(value);
  };
}

const DOCUMENT = "document";

/** The same with references that lead into the document from anywhere. */
const pointed = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${DOCUMENT}#/components/`));
