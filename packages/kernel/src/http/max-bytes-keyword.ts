import { takesAtMost } from "@orchestrator/exact-json";
import { _, type FuncKeywordDefinition } from "ajv";

/**
 * A bound on a text in bytes of UTF-8, for what stands in an index: its entries have a size,
 * however many characters that is.
 */
export const maxBytesKeyword: FuncKeywordDefinition = {
  keyword: "maxBytes",
  type: "string",
  schemaType: "number",
  validate: (limit: number, text: string) => takesAtMost(text, limit),
  error: { message: "is too long", params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
};
