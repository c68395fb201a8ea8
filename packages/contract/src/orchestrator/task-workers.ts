import { type Static, Type } from "typebox";
import { Model, NamedParameters, Nullable, Timestamp } from "../schema/index.ts";

const MAX_KEYS = 1000;
const MAX_KEY = 100_000;

const TaskKeys = Type.Array(Type.String({ minLength: 1, maxLength: MAX_KEY }), {
  maxItems: MAX_KEYS,
});

/** Somebody who is connected to be given background tasks. */
export const TaskWorker = Model(
  {
    identifier: Type.String(),
    task_keys: Type.Array(Type.String()),
    timestamp: Timestamp({ description: "When it was last heard of" }),
  },
  { $id: "TaskWorker" },
);
export type TaskWorker = Static<typeof TaskWorker>;

export const TaskWorkerList = NamedParameters({
  task_worker_filter: Type.Optional(
    Nullable(Model({ task_keys: TaskKeys }, { description: "Those that serve one of the tasks" })),
  ),
});
