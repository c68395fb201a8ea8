import type { Static, TaskRun, TaskSubscription } from "@orchestrator/contract";
import { type ReconnectOptions, reconnecting } from "../sockets/reconnecting.ts";
import { extension } from "../transport/operation.ts";

export type TaskSubscriptionWish = Omit<Static<typeof TaskSubscription>, "type">;

/**
 * Background task runs of some tasks, each to one of those that subscribe. A run is accepted when
 * it is handed out; one that came while the last is being worked on goes to somebody else after
 * half a minute.
 */
export const subscribeToTasks = extension(
  (transport) =>
    (
      wish: TaskSubscriptionWish,
      options: ReconnectOptions = {},
    ): AsyncGenerator<TaskRun, void, undefined> =>
      reconnecting(
        transport,
        "/task_runs/subscriptions/scheduled",
        options,
        async function* (connection) {
          await connection.send({ type: "subscribe", ...wish });
          for (;;) {
            const run = (await connection.receive()) as TaskRun | null;
            if (run === null) return;
            // An offer that is withdrawn by now cannot be accepted.
            if (connection.end() !== null) return;
            await connection.send({ type: "ack" });
            yield run;
          }
        },
      ),
);
