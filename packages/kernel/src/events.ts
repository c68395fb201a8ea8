// The door to the event log: writers, readers with a cursor, search, retention.

export { type AppendedEvent, appendEvent, appendEvents, EVENTS_TOPIC } from "./event-log/append.ts";
export {
  createLogReader,
  type LogConsumer,
  type LogReader,
  readUnreadSince,
} from "./event-log/cursor.ts";
export { EVENT_TEXTS } from "./event-log/event-texts.ts";
export { createLogFeed, type Following, type LogFeed } from "./event-log/feed.ts";
export { findPosition } from "./event-log/find-position.ts";
export { followLog, type LogFollower, type LoggedEvent, readHead } from "./event-log/read.ts";
export { createEventRetention } from "./event-log/retention.ts";
export { spansByName } from "./event-log/retention-by-name.ts";
export { type EventSearchSql, eventSearchSql, textCondition } from "./event-log/search-sql.ts";
