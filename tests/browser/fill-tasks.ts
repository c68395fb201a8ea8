// Task runs, told of as clients tell of them: each with its times.
import type { Make } from "./fill.ts";

export interface FilledTask {
  readonly name: string;
  readonly type: "COMPLETED" | "FAILED";
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
}

export async function addTasks(
  make: Make,
  flowRun: string,
  tasks: readonly FilledTask[],
): Promise<void> {
  const events = tasks.map(({ name, type, start, end }, i) => ({
    id: crypto.randomUUID(),
    occurred: new Date(end).toISOString(),
    event: `orchestrator.task-run.${type}`,
    resource: {
      "orchestrator.resource.id": `orchestrator.task-run.${crypto.randomUUID()}`,
      "orchestrator.resource.name": name,
      "orchestrator.orchestration": "client",
    },
    related: [
      {
        "orchestrator.resource.id": `orchestrator.flow-run.${flowRun}`,
        "orchestrator.resource.role": "flow-run",
      },
    ],
    payload: {
      validated_state: { type },
      task_run: {
        name,
        task_key: "load",
        dynamic_key: String(i),
        expected_start_time: new Date(start).toISOString(),
        start_time: new Date(start).toISOString(),
        end_time: new Date(end).toISOString(),
        total_run_time: (end - start) / 1000,
      },
    },
  }));
  await make("/events", events);
}
