import type { JsonObject } from "@orchestrator/contract";
import { AZURE_CONTAINER_INSTANCE } from "./templates/azure-container-instance.ts";
import { CLOUD_RUN } from "./templates/cloud-run.ts";
import { CLOUD_RUN_V2 } from "./templates/cloud-run-v2.ts";
import { DOCKER } from "./templates/docker.ts";
import { ECS } from "./templates/ecs.ts";
import { KUBERNETES } from "./templates/kubernetes.ts";
import { PROCESS } from "./templates/process.ts";
import { VERTEX_AI } from "./templates/vertex-ai.ts";

const LOGO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%232557d6' stroke-width='2'%3E%3Crect x='3' y='4' width='18' height='16' rx='2'/%3E%3Cpath d='m7 9 3 3-3 3m6 0h4'/%3E%3C/svg%3E";

interface Kind {
  readonly type: string;
  readonly display_name: string;
  readonly description: string;
  /** What a pool is made with unless it is given one: what workers of this kind understand. */
  readonly default_base_job_configuration: JsonObject;
}

/** By what the client calls the package that their workers come with. */
const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  prefect: [
    {
      type: "process",
      display_name: "Process",
      description: "Runs each flow run as a process on the machine where the worker runs.",
      default_base_job_configuration: PROCESS,
    },
  ],
  "prefect-docker": [
    {
      type: "docker",
      display_name: "Docker",
      description: "Runs each flow run in a container of a Docker engine.",
      default_base_job_configuration: DOCKER,
    },
  ],
  "prefect-kubernetes": [
    {
      type: "kubernetes",
      display_name: "Kubernetes",
      description: "Runs each flow run as a Job of a Kubernetes cluster.",
      default_base_job_configuration: KUBERNETES,
    },
  ],
  "prefect-aws": [
    {
      type: "ecs",
      display_name: "AWS Elastic Container Service",
      description: "Runs each flow run as an ECS task, on Fargate or on EC2 instances.",
      default_base_job_configuration: ECS,
    },
  ],
  "prefect-azure": [
    {
      type: "azure-container-instance",
      display_name: "Azure Container Instances",
      description: "Runs each flow run in a container group of Azure.",
      default_base_job_configuration: AZURE_CONTAINER_INSTANCE,
    },
  ],
  "prefect-gcp": [
    {
      type: "cloud-run",
      display_name: "Google Cloud Run",
      description: "Runs each flow run as a job of Google Cloud Run.",
      default_base_job_configuration: CLOUD_RUN,
    },
    {
      type: "cloud-run-v2",
      display_name: "Google Cloud Run V2",
      description:
        "Runs each flow run as a job of Google Cloud Run, by the second version of its API.",
      default_base_job_configuration: CLOUD_RUN_V2,
    },
    {
      type: "vertex-ai",
      display_name: "Google Vertex AI",
      description: "Runs each flow run as a custom job of Vertex AI.",
      default_base_job_configuration: VERTEX_AI,
    },
  ],
};

/** The kinds of worker that are known without asking anybody, by package and type. */
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
        },
      ]),
    ),
  ]),
);
