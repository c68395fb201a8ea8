import { writeJson } from "@orchestrator/exact-json";
import { _, type FuncKeywordDefinition } from "ajv";

/** A bound on any JSON value: how many characters it takes when written without white space. */
export const maxJsonLengthKeyword: FuncKeywordDefinition = {
  keyword: "maxJsonLength",
  schemaType: "number",
  validate: (limit: number, value: unknown) =>
    value === undefined || value === null || writeJson(value).length <= limit,
  error: { message: "is too long", params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
};
