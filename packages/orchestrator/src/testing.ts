export { PLANTED_SECRET } from "./testing/leaks.ts";
export { describeEachApi, type OpenTestApi, type TestApi } from "./testing/test-api.ts";
