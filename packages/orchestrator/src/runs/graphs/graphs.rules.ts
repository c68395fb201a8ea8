import type {
  FlowRunGraph,
  GraphArtifact,
  GraphNode,
  TaskRunDependencies,
} from "@orchestrator/contract";

/** A task run of the flow run, or the subflow that it stands for. */
export interface GraphRow
  extends Pick<GraphNode, "kind" | "id" | "label" | "state_type" | "start_time" | "end_time"> {
  readonly task_run_id: string;
  /** JSON text. */
  readonly task_inputs: string;
  /** 1 where it had ended before what is shown: others have edges to it, but it is no node. */
  readonly has_ended: number;
}

export interface PlacedArtifact extends GraphArtifact {
  readonly task_run_id: string | null;
}

interface TaskInput {
  readonly input_type?: string;
  readonly id?: string;
}
type TaskInputs = Readonly<Record<string, readonly TaskInput[]>>;

/** Inputs under this name say within which task a task ran. */
const ENCAPSULATING = "__parents__";

/** The nodes with their edges, in the order of the rows, and the artifacts where they belong. */
export function buildGraph(
  rows: readonly GraphRow[],
  placed: readonly PlacedArtifact[],
): Pick<FlowRunGraph, "nodes" | "root_node_ids" | "artifacts"> {
  const nodeIds = new Map<string, string>();
  for (const { id, task_run_id } of rows) nodeIds.set(task_run_id, id).set(id, id);
  const children = new Map<string, Set<string>>();
  const artifacts = byTaskRun(placed);
  const linked = rows.map((row) => {
    const { parents, encapsulating } = edgesOf(JSON.parse(row.task_inputs) as TaskInputs, nodeIds);
    for (const parent of parents) {
      const known = children.get(parent) ?? new Set();
      children.set(parent, known.add(row.id));
    }
    return { row, parents, encapsulating };
  });
  const shown = linked.filter(({ row }) => row.has_ended === 0);
  const nodes = shown.map(({ row, parents, encapsulating }) => {
    const { task_run_id, task_inputs: _, has_ended: __, ...node } = row;
    const full: GraphNode = {
      ...node,
      parents: asEdges(parents),
      children: asEdges(children.get(row.id)),
      encapsulating: asEdges(encapsulating),
      artifacts: artifacts.get(task_run_id) ?? [],
    };
    return [row.id, full] as const;
  });
  const roots = nodes.filter(([, { parents }]) => parents.length === 0);
  return {
    nodes: nodes.map(([id, node]) => [id, node]),
    root_node_ids: roots.map(([id]) => id),
    artifacts: artifacts.get(null) ?? [],
  };
}

function edgesOf(inputs: TaskInputs, nodeIds: ReadonlyMap<string, string>) {
  const [parents, encapsulating] = [new Set<string>(), new Set<string>()];
  for (const [name, sources] of Object.entries(inputs)) {
    for (const { id } of sources) {
      const nodeId = id === undefined ? undefined : nodeIds.get(id);
      if (nodeId !== undefined) (name === ENCAPSULATING ? encapsulating : parents).add(nodeId);
    }
  }
  return { parents, encapsulating };
}

const asEdges = (ids: Iterable<string> = []) => [...ids].map((id) => ({ id }));

function byTaskRun(placed: readonly PlacedArtifact[]): Map<string | null, GraphArtifact[]> {
  const groups = new Map<string | null, GraphArtifact[]>();
  for (const { task_run_id, ...artifact } of placed) {
    const group = groups.get(task_run_id) ?? [];
    group.push(artifact);
    groups.set(task_run_id, group);
  }
  return groups;
}

export type DependencyRow = Omit<
  TaskRunDependencies,
  "upstream_dependencies" | "untrackable_result"
> & { readonly task_inputs: TaskInputs };

/** A task run with the task runs it depends on, each once. */
export function dependenciesOf({ task_inputs, ...run }: DependencyRow): TaskRunDependencies {
  const sources = Object.values(task_inputs).flat();
  const ids = sources.flatMap(({ input_type, id }) =>
    input_type === "task_run" && id !== undefined ? [id] : [],
  );
  return {
    ...run,
    upstream_dependencies: [...new Set(ids)].map((id) => ({ input_type: "task_run", id })),
    untrackable_result: run.state?.state_details.untrackable_result ?? false,
  };
}
