export { describeEachUptimeApi, type OpenUptimeApi, type UptimeApi } from "./testing/test-api.ts";
