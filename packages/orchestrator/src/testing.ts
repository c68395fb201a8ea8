export { describeEachApi, type OpenTestApi, type TestApi } from "./testing/test-api.ts";
