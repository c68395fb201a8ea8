export {
  type AccountsClient,
  createAccountsClient,
} from "./create-accounts-client.ts";
export { type ClientOptions, createClient, type OrchestratorClient } from "./create-client.ts";
export { createUptimeClient, type UptimeClient } from "./create-uptime-client.ts";
export type { FollowEventsOptions } from "./resources/follow-events.ts";
export type { FollowLogsOptions } from "./resources/follow-logs.ts";
export type { NewEvent } from "./resources/keys.ts";
export type { EventPublisher, PublisherOptions } from "./resources/publish-events.ts";
export type { TaskSubscriptionWish } from "./resources/task-subscription.ts";
export type { WorkerChannel, WorkerFrame } from "./resources/worker-channel.ts";
export { ApiError, ConnectionError, type Problem, TimeoutError } from "./transport/errors.ts";
export type { CallOptions, Credentials, Retry } from "./transport/request.ts";
export type { WebSocketConstructor, WebSocketLike } from "./transport/web-socket.ts";
