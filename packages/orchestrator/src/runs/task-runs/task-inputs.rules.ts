import { MAX_INPUT_TEXT, type TaskInput, type TaskInputs } from "@orchestrator/contract";
import { normaliseUuid } from "@orchestrator/kernel/http";

/** What each argument came from, each with its kind and nothing beside. */
export const completeInputs = (inputs: TaskInputs): TaskInputs =>
  Object.fromEntries(Object.entries(inputs).map(([name, given]) => [name, given.map(complete)]));

/** The first kind that fits: what belongs to another kind may be anything. */
function complete({ input_type, id, name, type }: TaskInput): TaskInput {
  const mayBe = (...kinds: readonly string[]): boolean =>
    input_type === undefined || kinds.includes(input_type);
  if (mayBe("task_run", "flow_run") && isUuid(id))
    return { input_type: input_type ?? "task_run", id };
  if (mayBe("parameter") && isText(name)) return { input_type: "parameter", name };
  return { input_type: "constant", type: type ?? "" };
}

const isUuid = (id: unknown): id is string =>
  typeof id === "string" && normaliseUuid(id) !== undefined;

const isText = (text: unknown): text is string =>
  typeof text === "string" && text.length <= MAX_INPUT_TEXT;
