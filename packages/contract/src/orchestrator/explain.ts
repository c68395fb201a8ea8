import { type Static, Type } from "typebox";
import { Model, Nullable, StringEnum, Timestamp, Uuid } from "../schema/index.ts";
import { StateType } from "./common.ts";

export const OBSTACLES = [
  "ended",
  "cancelling",
  "running",
  "claimed",
  "paused",
  "waiting-for-retry",
  "recovering",
  "waiting-for-event",
  "sleeping",
  "scheduled-later",
  "waiting-for-slot",
  "deployment-gone",
  "deployment-paused",
  "schedule-inactive",
  "earlier-run-under-way",
  "not-in-a-queue",
  "nobody-serves-deployment",
  "queue-paused",
  "pool-paused",
  "nobody-polls-queue",
  "no-worker-online",
  "queue-limit-reached",
  "pool-limit-reached",
  "deployment-limit-reached",
  "about-to-be-claimed",
] as const;
export type ObstacleCode = (typeof OBSTACLES)[number];

/** One thing that keeps a run from running, or says why it soon will. */
export const Obstacle = Model(
  {
    code: StringEnum(OBSTACLES),
    is_blocking: Type.Boolean({ description: "Whether the run cannot start while this stands" }),
    message: Type.String(),
    action: Nullable(Type.String({ description: "What clears it" })),
    resource: Nullable(Model({ kind: Type.String(), id: Uuid(), name: Nullable(Type.String()) })),
    /** When it ends by itself. */
    until: Nullable(Timestamp()),
    flow_run_ids: Type.Array(Uuid(), {
      description: "Runs that hold what this one waits for, 50 of them at most",
    }),
  },
  { $id: "Obstacle" },
);
export type Obstacle = Static<typeof Obstacle>;

export const Explanation = Model(
  {
    flow_run_id: Uuid(),
    state_type: Nullable(StateType),
    state_name: Nullable(Type.String()),
    obstacles: Type.Array(Obstacle),
  },
  { $id: "Explanation", description: "Why a run is not running, the first obstacle first" },
);
export type Explanation = Static<typeof Explanation>;
