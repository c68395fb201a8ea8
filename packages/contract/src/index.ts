export * from "./orchestrator/csrf.ts";
export * from "./orchestrator/variables.ts";
export * from "./schema/index.ts";
