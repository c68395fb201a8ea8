import { type Static, Type } from "typebox";
import { Model, Nullable } from "../schema/index.ts";
import { Parameters } from "./common.ts";

const MAX_FROM = 100;

/** A new run that goes on behind results of an earlier run. */
export const FlowRunRerun = Model(
  {
    from: Type.Optional(
      Nullable(
        Type.String({
          maxLength: MAX_FROM,
          description:
            "Which results the new run reuses: `failed` all of them, `start` none, the id of a task run those that were there before it began. `failed` unless given",
          examples: ["failed"],
        }),
      ),
    ),
    parameters: Type.Optional(
      Nullable(Parameters, { description: "In the place of those of the same name" }),
    ),
    name: Type.Optional(Nullable(Type.String())),
    idempotency_key: Type.Optional(
      Nullable(
        Type.String({ description: "A second run of the flow with the same key is not made" }),
      ),
    ),
  },
  { $id: "FlowRunRerun" },
);
export type FlowRunRerun = Static<typeof FlowRunRerun>;
