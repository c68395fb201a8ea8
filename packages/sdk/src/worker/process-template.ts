import type { JobTemplate } from "./runner.ts";

/** What every kind of job can be told, in the form's order. */
export const COMMON_VARIABLES = {
  command: {
    title: "Command",
    type: "string",
    description: "A line for the shell; the flow at the deployment's entrypoint when left out.",
  },
  env: {
    title: "Environment Variables",
    type: "object",
    additionalProperties: { type: "string" },
    description: "What the job finds in its environment besides what the worker tells it.",
  },
  name: { title: "Name", type: "string", description: "What the job is called." },
  labels: {
    title: "Labels",
    type: "object",
    additionalProperties: { type: "string" },
    description: "Labels of what the worker creates for the job.",
  },
  stream_output: {
    title: "Stream Output",
    type: "boolean",
    default: true,
    description: "Whether the worker prints what the job prints.",
  },
  report_states: {
    title: "Report States",
    type: "boolean",
    description:
      "Whether the worker tells of the job's states by its exit code; unless given it does for a command, and a flow does itself.",
  },
  grace_seconds: {
    title: "Grace",
    type: "number",
    minimum: 0,
    description: "How long a job that is told to end may take before it is killed, in seconds.",
  },
} as const;

/** `{{ name }}` for each of the variables. */
export function placeholders(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `{{ ${name} }}`]));
}

const VARIABLES = {
  ...COMMON_VARIABLES,
  isolation: {
    title: "Isolation",
    type: "string",
    enum: ["runner", "process"],
    description:
      "What executes a flow: a runner that executes other runs of its deployment as well, one after another, or a process for each run.",
  },
  working_dir: {
    title: "Working Directory",
    type: "string",
    format: "path",
    description: "Where it runs; the deployment's folder, else a fresh one, when left out.",
  },
} as const;

export const PROCESS_TEMPLATE: JobTemplate = {
  job_configuration: placeholders(Object.keys(VARIABLES)),
  variables: { type: "object", properties: VARIABLES },
};
