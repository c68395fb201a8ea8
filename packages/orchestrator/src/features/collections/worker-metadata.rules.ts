/** How a `process` worker starts a run, for pools that are made without a template of their own. */
const PROCESS_TEMPLATE = {
  job_configuration: {
    command: "{{ command }}",
    env: "{{ env }}",
    labels: "{{ labels }}",
    name: "{{ name }}",
    stream_output: "{{ stream_output }}",
    working_dir: "{{ working_dir }}",
  },
  variables: {
    type: "object",
    properties: {
      name: {
        title: "Name",
        type: "string",
        description: "What the process is called where it shows up.",
      },
      env: {
        title: "Environment Variables",
        type: "object",
        additionalProperties: { type: "string" },
        description: "Variables that the process finds in its environment.",
      },
      labels: {
        title: "Labels",
        type: "object",
        additionalProperties: { type: "string" },
        description: "Labels for the infrastructure that the worker creates.",
      },
      command: {
        title: "Command",
        type: "string",
        description: "What to run; the worker knows what to do when this is left out.",
      },
      stream_output: {
        title: "Stream Output",
        type: "boolean",
        default: true,
        description: "Whether the worker's own output shows what the process prints.",
      },
      working_dir: {
        title: "Working Directory",
        type: "string",
        format: "path",
        description: "Where the process starts; a fresh temporary folder when this is left out.",
      },
    },
  },
} as const;

const LOGO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%232557d6' stroke-width='2'%3E%3Crect x='3' y='4' width='18' height='16' rx='2'/%3E%3Cpath d='m7 9 3 3-3 3m6 0h4'/%3E%3C/svg%3E";

interface Kind {
  readonly type: string;
  readonly display_name: string;
  readonly description: string;
}

/** By what the client calls the package that their workers come with. */
const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  prefect: [
    {
      type: "process",
      display_name: "Process",
      description: "Runs each flow run as a process on the machine where the worker runs.",
    },
  ],
  "prefect-docker": [
    {
      type: "docker",
      display_name: "Docker",
      description: "Runs each flow run in a container of a Docker engine.",
    },
  ],
  "prefect-kubernetes": [
    {
      type: "kubernetes",
      display_name: "Kubernetes",
      description: "Runs each flow run as a Job of a Kubernetes cluster.",
    },
  ],
  "prefect-aws": [
    {
      type: "ecs",
      display_name: "AWS Elastic Container Service",
      description: "Runs each flow run as an ECS task, on Fargate or on EC2 instances.",
    },
  ],
  "prefect-azure": [
    {
      type: "azure-container-instance",
      display_name: "Azure Container Instances",
      description: "Runs each flow run in a container group of Azure.",
    },
  ],
  "prefect-gcp": [
    {
      type: "cloud-run",
      display_name: "Google Cloud Run",
      description: "Runs each flow run as a job of Google Cloud Run.",
    },
    {
      type: "cloud-run-v2",
      display_name: "Google Cloud Run V2",
      description:
        "Runs each flow run as a job of Google Cloud Run, by the second version of its API.",
    },
    {
      type: "vertex-ai",
      display_name: "Google Vertex AI",
      description: "Runs each flow run as a custom job of Vertex AI.",
    },
  ],
};

/**
 * The kinds of worker that are known without asking anybody, by package and type. The template of all but processes is the worker's
 * own: the first one to serve a pool without a template gives it one.
 */
export const WORKER_METADATA: object = Object.fromEntries(
  Object.entries(KINDS).map(([package_, kinds]) => [
    package_,
    Object.fromEntries(
      kinds.map((kind) => [
        kind.type,
        {
          ...kind,
          documentation_url: "https://docs.prefect.io/v3/concepts/workers",
          logo_url: LOGO,
          install_command: `pip install ${package_}`,
          is_beta: false,
          default_base_job_configuration: kind.type === "process" ? PROCESS_TEMPLATE : {},
        },
      ]),
    ),
  ]),
);
