// What tests of jobs outside this package share with those within.

export { type TestEngine, testEngine } from "./testing/engine.ts";
