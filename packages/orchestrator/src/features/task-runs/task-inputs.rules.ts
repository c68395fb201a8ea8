import type { TaskInput, TaskInputs } from "@orchestrator/contract";

/** What each argument came from, each with its kind and nothing beside. */
export const completeInputs = (inputs: TaskInputs): TaskInputs =>
  Object.fromEntries(Object.entries(inputs).map(([name, given]) => [name, given.map(complete)]));

function complete({ input_type, id, name, type }: TaskInput): TaskInput {
  if (isOneOf(input_type, ["task_run", "flow_run"]) && id !== undefined)
    return { input_type: input_type ?? "task_run", id };
  if (isOneOf(input_type, ["parameter"]) && name !== undefined)
    return { input_type: "parameter", name };
  return { input_type: "constant", type: type ?? "" };
}

/** Or it is not said. */
const isOneOf = (given: TaskInput["input_type"], kinds: readonly string[]): boolean =>
  given === undefined || kinds.includes(given);
