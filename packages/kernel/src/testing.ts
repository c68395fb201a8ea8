export { assertDocumented } from "./testing/assert-documented.ts";
export { awayOnce } from "./testing/away-once.ts";
export { copyMigratedFile } from "./testing/database-template.ts";
export { documentJudge, type FitsSchema, serverJudge } from "./testing/document-judges.ts";
export { describeFilterSchema, describeListFilter } from "./testing/filter-outline.ts";
export { type ManualClock, manualClock } from "./testing/manual-clock.ts";
export { createTestPostgres } from "./testing/postgres-databases.ts";
export { type PostgresServer, startPostgres } from "./testing/postgres-server.ts";
export { readAnswer } from "./testing/read-answer.ts";
export { isLongRun, rounds } from "./testing/rounds.ts";
export { type BorrowedApp, SharedApps, viewOf } from "./testing/shared-apps.ts";
export { openSocket, type SocketClient } from "./testing/socket-client.ts";
export {
  describeEachDatabase,
  type OpenTestDatabase,
  openTestPostgres,
  type TestDatabase,
} from "./testing/test-database.ts";
export { until } from "./testing/until.ts";
export { untilHeldUp } from "./testing/until-held-up.ts";
