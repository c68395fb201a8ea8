// What ran inside a flow run, and what waited for what.

import { type Static, Type } from "typebox";
import {
  JsonValue,
  Model,
  NamedParameters,
  Nullable,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { StateType } from "./common.ts";
import { State } from "./states.ts";

const time = () => Nullable(Timestamp());

const GraphEdge = Model({ id: Uuid() }, { $id: "GraphEdge" });
const edges = (description: string) => Type.Array(GraphEdge, { description });

export const GraphArtifact = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    key: Nullable(Type.String()),
    type: Nullable(Type.String()),
    is_latest: Type.Boolean(),
    data: JsonValue({ description: "Only of artifacts that show progress" }),
  },
  { $id: "GraphArtifact" },
);
export type GraphArtifact = Static<typeof GraphArtifact>;

export const GraphNode = Model(
  {
    kind: StringEnum(["flow-run", "task-run"]),
    id: Uuid(),
    label: Type.String(),
    state_type: StateType,
    start_time: Timestamp(),
    end_time: time(),
    parents: edges("What it got its inputs from"),
    children: edges("What got its output"),
    encapsulating: edges("Within what it ran"),
    artifacts: Type.Array(GraphArtifact),
  },
  { $id: "GraphNode" },
);
export type GraphNode = Static<typeof GraphNode>;

const GraphState = Model(
  { id: Uuid(), timestamp: Timestamp(), type: StateType, name: Type.String() },
  { $id: "GraphState" },
);

export const FlowRunGraph = Model(
  {
    start_time: time(),
    end_time: time(),
    root_node_ids: Type.Array(Uuid()),
    nodes: Type.Array(
      Type.Unsafe<readonly [string, GraphNode]>({
        type: "array",
        prefixItems: [Uuid(), GraphNode],
        minItems: 2,
        maxItems: 2,
      }),
    ),
    artifacts: Type.Array(GraphArtifact),
    states: Type.Array(GraphState),
  },
  { $id: "FlowRunGraph" },
);
export type FlowRunGraph = Static<typeof FlowRunGraph>;

export const GraphQuery = NamedParameters({
  since: Type.Optional(Timestamp({ description: "Leaves out what had ended before" })),
});

/** A task run and the task runs that it got its inputs from. */
export const TaskRunDependencies = Model(
  {
    id: Uuid(),
    name: Type.String(),
    upstream_dependencies: Type.Array(Model({ input_type: StringEnum(["task_run"]), id: Uuid() })),
    state: Nullable(State),
    expected_start_time: time(),
    start_time: time(),
    end_time: time(),
    total_run_time: Nullable(Type.Number()),
    estimated_run_time: Nullable(Type.Number()),
    untrackable_result: Type.Boolean(),
  },
  { $id: "TaskRunDependencies" },
);
export type TaskRunDependencies = Static<typeof TaskRunDependencies>;
