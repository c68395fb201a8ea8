export type { FoundProblem, Violation } from "./check-run.ts";
export { digitsOf, exactNumberOf, isWhole } from "./exact-numbers.ts";
export { createValidator, type RunOptions, type SchemaSource } from "./json-schema.ts";
