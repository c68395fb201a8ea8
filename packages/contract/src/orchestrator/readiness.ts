import { Type } from "typebox";
import { Model, Nullable, StringEnum } from "../schema/index.ts";

const LoopReport = Model({
  status: StringEnum(["starting", "ok", "standby", "failing", "stopped"]),
  passes: Type.Integer(),
  failuresInARow: Type.Integer(),
  lastError: Nullable(Type.String()),
  secondsSinceLastPass: Nullable(Type.Number()),
});

/** Whether a write would be taken, and how the background loops are doing. */
export const ReadinessReport = Model(
  {
    message: StringEnum(["OK", "Database is not available"]),
    reason: Type.Optional(Type.String({ description: "What is in the way, and what to do" })),
    loops: Type.Record(Type.String(), LoopReport),
  },
  { $id: "ReadinessReport" },
);
