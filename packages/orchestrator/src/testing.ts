export { SERVICE_IDENTITIES } from "./service-identities.rules.ts";
export { PLANTED_SECRET } from "./testing/leaks.ts";
export { describeEachApi, type OpenTestApi, type TestApi } from "./testing/test-api.ts";
