export { describeFilterSchema, describeListFilter } from "./testing/filter-outline.ts";
export { type ManualClock, manualClock } from "./testing/manual-clock.ts";
export { type PostgresServer, startPostgres } from "./testing/postgres-server.ts";
export { openSocket, type SocketClient } from "./testing/socket-client.ts";
export {
  createTestPostgres,
  describeEachDatabase,
  type OpenTestDatabase,
  type TestDatabase,
} from "./testing/test-database.ts";
