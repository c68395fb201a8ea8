import { createValidator } from "../json-schema.ts";

export const { check: checkSchema, validate: validateValues } = createValidator(new Map());
