import type { ExecutorEvent } from "@orchestrator/contract";

/** A task run as it was reported. */
export interface TestedTaskRun {
  readonly name: string;
  readonly task: string;
  /** The names of its states in their order. */
  readonly states: readonly string[];
}

interface ReportedTaskRun {
  readonly task_run?: { readonly task_key?: string };
}

const PREFIX = "orchestrator.task-run.";

/** Reads the events of states as a server does. */
export function taskRunsIn(events: Iterable<ExecutorEvent>): TestedTaskRun[] {
  const runs = new Map<string, { name: string; task: string; states: string[] }>();
  for (const { event, resource, payload } of events) {
    const id = resource["orchestrator.resource.id"] ?? "";
    if (!event.startsWith(PREFIX) || !id.startsWith(PREFIX)) continue;
    const name = resource["orchestrator.resource.name"] ?? "";
    const task = (payload as ReportedTaskRun | null)?.task_run?.task_key ?? "";
    const run = runs.get(id) ?? { name, task, states: [] };
    run.name = name;
    run.states.push(event.slice(PREFIX.length));
    runs.set(id, run);
  }
  return [...runs.values()];
}
