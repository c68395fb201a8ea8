export { manualClock, type ManualClock } from "./testing/manual-clock.ts";
export { startPostgres, type PostgresServer } from "./testing/postgres-server.ts";
export {
  createTestPostgres,
  describeEachDatabase,
  type OpenTestDatabase,
  type TestDatabase,
} from "./testing/test-database.ts";
