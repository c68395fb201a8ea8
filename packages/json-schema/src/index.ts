export type { FoundProblem, Violation } from "./check-run.ts";
export { digitsOf, isWhole, numberIn } from "./exact-numbers.ts";
export { createValidator, type RunOptions, type SchemaSource } from "./json-schema.ts";
