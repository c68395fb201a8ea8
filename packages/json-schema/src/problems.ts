// The door to what a validation found, for code that may not validate by itself.

export { SchemaProblem } from "./schema-problem.ts";
export { isWithin, type JsonPath, sentences, type ValueProblem } from "./value-problem.ts";
