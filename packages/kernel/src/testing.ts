export { assertDocumented } from "./testing/assert-documented.ts";
export { awayOnce } from "./testing/away-once.ts";
export { copyMigratedFile } from "./testing/database-template.ts";
export {
  documentValidator,
  type FitsSchema,
  serverValidator,
} from "./testing/document-validators.ts";
export { describeFilterSchema, describeListFilter } from "./testing/filter-outline.ts";
export { type ManualClock, manualClock } from "./testing/manual-clock.ts";
export { createTestPostgres } from "./testing/postgres-databases.ts";
export { type PostgresServer, startPostgres } from "./testing/postgres-server.ts";
export { parseAnswer } from "./testing/read-answer.ts";
export { isLongRun, rounds } from "./testing/rounds.ts";
export { type BorrowedApp, proxyOfCurrent, SharedApps } from "./testing/shared-apps.ts";
export { openSocket, type SocketClient } from "./testing/socket-client.ts";
export {
  describeEachDatabase,
  type OpenTestDatabase,
  openTestPostgres,
  type TestDatabase,
} from "./testing/test-database.ts";
export { until } from "./testing/until.ts";
export { untilBlockedOnRow } from "./testing/until-blocked-on-row.ts";
